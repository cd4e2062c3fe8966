// A client for Android: the same steps as phone-client.ts, with Health Connect as the source.
// Nobody has compiled this file. Test it in your application before you rely on it.

import androidx.health.connect.client.HealthConnectClient
import androidx.health.connect.client.changes.DeletionChange
import androidx.health.connect.client.changes.UpsertionChange
import androidx.health.connect.client.records.HeartRateRecord
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.time.ZoneId
import java.util.UUID
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import org.json.JSONArray
import org.json.JSONObject

data class Tokens(val accessToken: String, val refreshToken: String)
class SignedOut : Exception()

/** Where the tokens lie. Encrypt them with a key of the Android Keystore. */
interface TokenStore { fun load(): Tokens?; fun save(tokens: Tokens?) }

class TributaryClient(private val baseUrl: String, private val store: TokenStore) {
    /** Two calls must not refresh at the same time: a refresh token that is used twice ends the session. */
    private val refreshing = Mutex()

    /** Exchanges the token that your backend created for this user. It works once, and within an hour. */
    suspend fun signIn(signInToken: String) {
        val (status, body) = post("/v2/sdk/session", JSONObject().put("sign_in_token", signInToken), null)
        if (status != 200) throw SignedOut()
        store.save(tokensOf(body))
    }

    /** Sends one part. Repeat a part with the same `sync_id` and number until this returns: it counts once. */
    suspend fun sync(part: JSONObject) {
        val tokens = store.load() ?: throw SignedOut()
        var (status, body) = post("/v2/sdk/sync", part, tokens.accessToken)
        if (status == 401) post("/v2/sdk/sync", part, refresh(tokens).accessToken).let { status = it.first; body = it.second }
        if (status == 401) throw SignedOut()
        if (status != 202) throw IOException("$status: $body") // 429 and 5xx: repeat later. 4xx: a mistake.
    }

    private suspend fun refresh(used: Tokens): Tokens = refreshing.withLock {
        val current = store.load() ?: throw SignedOut()
        if (current != used) return@withLock current // Another call has refreshed meanwhile.
        val request = JSONObject().put("refresh_token", current.refreshToken)
        val (status, body) = post("/v2/sdk/session/refresh", request, null)
        if (status == 401) { store.save(null); throw SignedOut() }
        if (status != 200) throw IOException("$status: $body")
        tokensOf(body).also(store::save) // Before the first use: a crash must not lose them.
    }

    private fun tokensOf(body: String) =
        JSONObject(body).let { Tokens(it.getString("access_token"), it.getString("refresh_token")) }

    private suspend fun post(path: String, body: JSONObject, accessToken: String?) = withContext(Dispatchers.IO) {
        val connection = URL(baseUrl + path).openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        connection.doOutput = true
        connection.setRequestProperty("content-type", "application/json")
        accessToken?.let { connection.setRequestProperty("authorization", "Bearer $it") }
        connection.outputStream.use { it.write(body.toString().toByteArray()) }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        status to (stream?.bufferedReader()?.readText() ?: "")
    }
}

/** What Health Connect does not say about a deleted record: its times and its app. Store it by the id of the record. */
data class Sent(val times: List<String>, val app: String)

/**
 * Reads new and deleted heart rates since the last changes token, and sends them.
 * Health Connect names a deleted record by its id alone. The service needs its times and app, which [sent] remembers.
 * @return the changes token to store. An interrupted call stores none, so the next one reads the same changes again.
 */
suspend fun syncHeartRates(
    health: HealthConnectClient,
    client: TributaryClient,
    changesToken: String,
    sent: MutableMap<String, Sent>,
): String {
    val changes = health.getChanges(changesToken)
    if (changes.changesTokenExpired) throw IllegalStateException("read everything again; repeated data changes nothing")
    for (change in changes.changes) when (change) {
        is UpsertionChange -> (change.record as? HeartRateRecord)?.let { record ->
            // Samples get the offset of their record, so that the service knows the local day.
            val offset = record.startZoneOffset ?: ZoneId.systemDefault().rules.getOffset(record.startTime)
            val samples = record.samples.map { it.time.atOffset(offset).toString() to it.beatsPerMinute }
            val app = record.metadata.dataOrigin.packageName
            sent[record.metadata.id] = Sent(samples.map { it.first }, app)
            val records = samples.map { (time, bpm) -> JSONObject().put("timestamp", time).put("value", bpm) }
            client.sync(part(app).put("resources", JSONObject().put("heartrate", JSONArray(records))))
        }
        is DeletionChange -> sent[change.recordId]?.let { (times, app) ->
            val names = times.map { JSONObject().put("timestamp", it) }
            val deleted = JSONObject().put("heartrate", JSONArray(names))
            client.sync(part(app).put("resources", JSONObject()).put("deleted", deleted))
            sent.remove(change.recordId) // Only after the deletion arrived: an interrupted call must find it again.
        }
    }
    return changes.nextChangesToken
}

/** A batch has one device and one app, so this example sends each record as a batch of its own. */
private fun part(app: String) = JSONObject()
    .put("provider", "health_connect").put("source_type", "watch").put("app", JSONObject().put("id", app))
    .put("sync_id", UUID.randomUUID().toString()).put("part", 0).put("done", true)
