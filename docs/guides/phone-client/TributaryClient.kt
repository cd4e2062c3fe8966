// A client for Android: the same steps as phone-client.ts, with Health Connect as the source.
// A test compiles this file against Health Connect 1.1.0, and runs it on a JVM with a fake Health Connect of ours.
// It has not run on a phone: test it in your application before you rely on it.

import androidx.health.connect.client.HealthConnectClient
import androidx.health.connect.client.changes.DeletionChange
import androidx.health.connect.client.changes.UpsertionChange
import androidx.health.connect.client.records.HeartRateRecord
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.time.Instant
import java.time.ZoneId
import java.util.UUID
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import org.json.JSONArray
import org.json.JSONObject

private const val TIMEOUT_MS = 30_000

/** The limit is 10,000 records or deletions and 4 MB; this leaves room for large records. */
private const val RECORDS_PER_PART = 2_000

data class Tokens(val accessToken: String, val refreshToken: String)

/** The user must sign in again: the session has ended. */
class SignedOut : Exception("the session has ended")

/** The service refuses the request for good. After `connection_ended`, sign in anew once the user wants that. */
class Refused(val status: Int, val code: String) : Exception("$status $code")

/** Where the tokens lie. Encrypt them with a key of the Android Keystore. */
interface TokenStore { fun load(): Tokens?; fun save(tokens: Tokens?) }

/** Every call throws an IOException for an outage or a limit: repeat it later. */
class TributaryClient(private val baseUrl: String, private val store: TokenStore) {
    /** Two calls must not refresh at the same time: a refresh token that is used twice ends the session. */
    private val refreshing = Mutex()

    /** Exchanges the token that your backend created for this user. It works once, and within an hour. */
    suspend fun signIn(signInToken: String) {
        val answer = post("/v2/sdk/session", JSONObject().put("sign_in_token", signInToken), null)
        store.save(tokensOf(answer))
    }

    /**
     * Sends one part. Repeat a part with the same `sync_id` and number until this returns: it counts once.
     * @return the numbers of `accepted` records and deletions, and the `rejected` ones with their reasons.
     */
    suspend fun sync(part: JSONObject): JSONObject = send("/v2/sdk/sync", part)

    /** Ends the session. The data stays. */
    suspend fun signOut() {
        send("/v2/sdk/session/revoke", JSONObject())
        store.save(null)
    }

    private suspend fun send(path: String, body: JSONObject): JSONObject {
        val tokens = store.load() ?: throw SignedOut()
        return try {
            post(path, body, tokens.accessToken)
        } catch (_: SignedOut) {
            post(path, body, refresh(tokens).accessToken)
        }
    }

    /** Android cancels work at any time. A cancelled refresh would lose the tokens that the service has changed. */
    private suspend fun refresh(used: Tokens): Tokens = withContext(NonCancellable) {
        refreshing.withLock {
            val current = store.load() ?: throw SignedOut()
            if (current != used) return@withLock current // Another call has refreshed meanwhile.
            val request = JSONObject().put("refresh_token", current.refreshToken)
            val answer = try {
                post("/v2/sdk/session/refresh", request, null)
            } catch (ended: SignedOut) {
                store.save(null)
                throw ended
            }
            tokensOf(answer).also(store::save) // Before the first use: a crash must not lose them.
        }
    }

    private fun tokensOf(answer: JSONObject) =
        Tokens(answer.getString("access_token"), answer.getString("refresh_token"))

    private suspend fun post(path: String, body: JSONObject, accessToken: String?) = withContext(Dispatchers.IO) {
        val bytes = body.toString().toByteArray()
        val connection = URL(baseUrl + path).openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        connection.doOutput = true
        connection.connectTimeout = TIMEOUT_MS
        connection.readTimeout = TIMEOUT_MS
        // With a fixed length, HttpURLConnection does not repeat the request by itself after a lost connection.
        connection.setFixedLengthStreamingMode(bytes.size)
        connection.setRequestProperty("content-type", "application/json")
        accessToken?.let { connection.setRequestProperty("authorization", "Bearer $it") }
        connection.outputStream.use { it.write(bytes) }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val text = stream?.bufferedReader()?.use { it.readText() } ?: ""
        when {
            status in 200..299 -> JSONObject(text)
            status == 401 -> throw SignedOut()
            status == 429 || status >= 500 -> throw IOException("$path: $status")
            else -> throw Refused(status, runCatching { JSONObject(text).getString("code") }.getOrDefault(text))
        }
    }
}

/** What Health Connect does not say about a deleted record: its times and its app. Store it by the id of the record. */
data class Sent(val times: Set<Instant>, val app: String)

/**
 * Reads new, changed and deleted heart rates since the last changes token, and sends them.
 * Health Connect names a deleted record by its id alone. The service needs its times and app, which [sent] remembers.
 * @return the changes token to store. An interrupted call stores none, so the next one reads the same changes again.
 */
suspend fun syncHeartRates(
    health: HealthConnectClient,
    client: TributaryClient,
    changesToken: String,
    sent: MutableMap<String, Sent>,
): String {
    var token = changesToken
    do {
        val page = health.getChanges(token)
        check(!page.changesTokenExpired) { "read everything again; repeated data changes nothing" }
        for (change in page.changes) when (change) {
            is UpsertionChange -> (change.record as? HeartRateRecord)?.let { sendRecord(client, it, sent) }
            is DeletionChange -> sent[change.recordId]?.let { (times, app) ->
                sendDeletions(client, change.recordId, times, app, sent)
                sent.remove(change.recordId) // Only after the deletion arrived: an interrupted call must find it again.
            }
        }
        token = page.nextChangesToken
    } while (page.hasMore)
    sendParts(client, null, listOf("resources" to emptyList())) // Also without news, or the connection becomes stale.
    return token
}

private suspend fun sendRecord(client: TributaryClient, record: HeartRateRecord, sent: MutableMap<String, Sent>) {
    val (id, app) = record.metadata.id to record.metadata.dataOrigin.packageName
    // Samples get the offset of their record, so that the service knows the local day.
    val offset = record.startZoneOffset ?: ZoneId.systemDefault().rules.getOffset(record.startTime)
    val samples = record.samples.map {
        JSONObject().put("timestamp", it.time.atOffset(offset).toString()).put("value", it.beatsPerMinute)
    }
    val times = record.samples.map { it.time }.toSet()
    val before = sent[id]?.times.orEmpty()
    sent[id] = Sent(before + times, app) // Before the request: an interrupted one may have arrived.
    sendParts(client, app, samples.chunked(RECORDS_PER_PART).map { "resources" to it })
    sendDeletions(client, id, before - times, app, sent) // A changed record may have lost samples.
    sent[id] = Sent(times, app)
}

/** Spares times that another record of the app has: an app may replace a record, and Android lists deletions last. */
private suspend fun sendDeletions(
    client: TributaryClient, id: String, times: Set<Instant>, app: String, sent: Map<String, Sent>,
) {
    val others = sent.filter { (other, it) -> other != id && it.app == app }.values.flatMap { it.times }.toSet()
    val names = (times - others).map { JSONObject().put("timestamp", it.toString()) }
    sendParts(client, app, names.chunked(RECORDS_PER_PART).map { "deleted" to it })
}

/** A batch has one device and one app, so this example sends each record as a batch of its own. */
private suspend fun sendParts(client: TributaryClient, app: String?, parts: List<Pair<String, List<JSONObject>>>) {
    val syncId = UUID.randomUUID().toString()
    for ((number, part) in parts.withIndex()) {
        val (field, records) = part
        val body = JSONObject()
            .put("provider", "health_connect").put("source_type", "watch")
            .put("sync_id", syncId).put("part", number).put("done", number == parts.lastIndex)
            .put("resources", JSONObject()).put(field, JSONObject().put("heartrate", JSONArray(records)))
        app?.let { body.put("app", JSONObject().put("id", it)) }
        client.sync(body)
    }
}
