import org.json.JSONArray
import org.json.JSONObject

const val SYNC = "/v2/sdk/sync"
const val REFRESH = "/v2/sdk/session/refresh"

/** A phone of a new user, with a network and a Health Connect of its own. */
class Phone(val service: LocalService) : AutoCloseable {
    val userId = service.createUser()
    val network = Network(service)
    val health = FakeHealth()
    @Volatile var tokens: Tokens? = null
    val client = TributaryClient(network.baseUrl, object : TokenStore {
        override fun load() = this@Phone.tokens
        override fun save(tokens: Tokens?) { this@Phone.tokens = tokens }
    })
    /** The changes token that the app has stored. */
    var changesToken = "0"
    private val sent = mutableMapOf<String, Sent>()

    suspend fun signIn() = client.signIn(service.createSignInToken(userId))

    suspend fun sync() { changesToken = syncHeartRates(health.client, client, changesToken, sent) }

    /** The heart rates of the app in the service. */
    fun stored() = service.readHeartRates(userId, BAND)

    override fun close() = network.close()
}

/** A part with a heart rate an hour before the morning, and one that the service rejects. */
fun part(syncId: String): JSONObject = JSONObject()
    .put("provider", "health_connect").put("source_type", "watch").put("app", JSONObject().put("id", BAND))
    .put("sync_id", syncId).put("part", 0).put("done", true)
    .put("resources", JSONObject().put("heartrate", JSONArray(listOf(
        JSONObject().put("timestamp", "2026-01-05T06:00:00Z").put("value", 60),
        JSONObject().put("timestamp", "no time").put("value", 60),
    ))))

fun expect(found: Any?, expected: Any?, what: String) =
    check(found == expected) { "$what: expected $expected, found $found" }

/** Fails unless a call throws an exception of the type. @return that exception. */
suspend inline fun <reified T : Exception> expectThrown(what: String, call: () -> Unit): T {
    try { call() } catch (thrown: Exception) { return thrown as? T ?: throw thrown }
    error("$what: expected ${T::class.simpleName}")
}
