import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import org.json.JSONObject

/** The running service, as a team calls it. */
class LocalService(private val baseUrl: String, private val apiKey: String) {
    private val http = HttpClient.newHttpClient()

    /** @throws IllegalStateException for an answer that is no success. */
    fun call(method: String, path: String, body: JSONObject? = null): JSONObject {
        val answer = forward(method, path, body?.toString() ?: "", "x-service-api-key" to apiKey)
        check(answer.statusCode() < 300) { "$method $path: ${answer.statusCode()} ${answer.body()}" }
        return JSONObject(answer.body())
    }

    fun forward(method: String, path: String, body: String, header: Pair<String, String>): HttpResponse<String> {
        val publisher = if (body.isEmpty()) BodyPublishers.noBody() else BodyPublishers.ofString(body)
        val request = HttpRequest.newBuilder(URI(baseUrl + path)).method(method, publisher)
            .header("content-type", "application/json").header(header.first, header.second)
        return http.send(request.build(), BodyHandlers.ofString())
    }

    fun createUser(): String =
        call("POST", "/v2/user", JSONObject().put("client_user_id", "${UUID.randomUUID()}")).getString("user_id")

    fun createSignInToken(userId: String): String =
        call("POST", "/v2/user/$userId/sign_in_token").getString("sign_in_token")

    fun advanceSeconds(seconds: Int) = call("POST", "/_local/clock", JSONObject().put("advance_seconds", seconds))

    /** The heart rates of an app, as "time value" in order of time, after everything is stored. */
    fun readHeartRates(userId: String, app: String): List<String> {
        call("POST", "/_local/settle")
        val groups = call("GET", "/v2/timeseries/$userId/heartrate/grouped?start_date=2026-01-05&end_date=2026-01-07")
            .getJSONObject("groups").optJSONArray("health_connect") ?: return emptyList()
        return groups.map { it as JSONObject }
            .filter { it.getJSONObject("source").getString("app_id") == app }
            .flatMap { it.getJSONArray("data") }.map { it as JSONObject }
            .map { "${it.getString("timestamp")} ${it.getInt("value")}" }.sorted()
    }
}

/** Stands between a phone and the service: records the phone's requests, and holds or loses them as a test says. */
class Network(private val service: LocalService) : AutoCloseable {
    val paths = CopyOnWriteArrayList<String>()
    /** Called with the path and the status of an answer, before the phone gets it. */
    @Volatile var beforeAnswer: (path: String, status: Int) -> Unit = { _, _ -> }
    /** The status with which the network answers in place of the service. */
    @Volatile var outage: Int? = null

    private val threads = Executors.newCachedThreadPool()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).also {
        it.executor = threads
        it.createContext("/", ::answer)
        it.start()
    }
    val baseUrl = "http://127.0.0.1:${server.address.port}"

    private fun answer(exchange: HttpExchange) = exchange.use {
        val path = exchange.requestURI.path
        paths += path
        val authorization = exchange.requestHeaders.getFirst("authorization") ?: "none"
        val body = exchange.requestBody.readBytes().decodeToString()
        val forward = { service.forward(exchange.requestMethod, path, body, "authorization" to authorization) }
        val (status, text) = outage?.let { it to "" } ?: forward().let { it.statusCode() to it.body() }
        beforeAnswer(path, status)
        val bytes = text.toByteArray()
        exchange.sendResponseHeaders(status, if (bytes.isEmpty()) -1 else bytes.size.toLong())
        exchange.responseBody.use { it.write(bytes) }
    }

    fun count(path: String): Int = paths.count { it == path }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
    }
}
