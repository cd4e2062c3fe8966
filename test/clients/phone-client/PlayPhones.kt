// Plays phones with TributaryClient.kt against a running service. Arguments: its address and an API key.

import java.io.IOException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.system.exitProcess
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.json.JSONObject

/** Each story has a user of its own. Those that move the clock come last. */
val stories: Map<String, suspend Phone.() -> Unit> = mapOf(
    "signs in once, and repeats after an outage" to Phone::signInOnce,
    "sends new, changed and deleted records" to Phone::sendChanges,
    "keeps the samples of a record that replaces another" to Phone::replaceRecord,
    "sends all pages, and long records in parts" to Phone::sendPages,
    "sends a part again" to Phone::sendAgain,
    "stops after its provider was disconnected" to Phone::stopAfterDisconnection,
    "signs out" to Phone::signOut,
    "refreshes once for calls at the same time" to Phone::refreshOnce,
    "keeps the tokens of a cancelled refresh" to Phone::cancelRefresh,
    "sends a refresh once, also if the connection is lost" to Phone::loseAnswer,
    "is signed out after its session ended" to Phone::endSession,
)

fun main(arguments: Array<String>) {
    val service = LocalService(arguments[0], arguments[1])
    val failed = stories.filterNot { (name, story) -> passes(service, name, story) }
    if (failed.isNotEmpty()) exitProcess(1)
}

fun passes(service: LocalService, name: String, story: suspend Phone.() -> Unit): Boolean = try {
    Phone(service).use { runBlocking(Dispatchers.Default) { it.signIn(); it.story() } }
    println("a Kotlin phone $name")
    true
} catch (failure: Exception) {
    println("a Kotlin phone does not pass: $name\n${failure.stackTraceToString()}")
    false
}

suspend fun Phone.signInOnce() {
    tokens = null
    network.outage = 503
    val token = service.createSignInToken(userId)
    expectThrown<IOException>("an outage during the sign-in") { client.signIn(token) }
    network.outage = null
    client.signIn(token)
    expectThrown<SignedOut>("a second use of the sign-in token") { client.signIn(token) }
    sync()
    expect(network.count(SYNC), 1, "requests without news, which keep the connection fresh")
}

suspend fun Phone.sendChanges() {
    health.put("first", 0, 60, 61, 62)
    health.put("second", 10, 70, 71)
    sync()
    expect(stored(), at(0, 60, 61, 62) + at(10, 70, 71), "new records")
    health.put("first", 0, 65, 66)
    sync()
    expect(stored(), at(0, 65, 66) + at(10, 70, 71), "a changed record without its last sample")
    health.delete("first")
    network.outage = 503
    expectThrown<IOException>("an outage during a deletion") { sync() }
    network.outage = null
    sync()
    expect(stored(), at(10, 70, 71), "a deleted record")
    changesToken = "0"
    sync()
    expect(stored(), at(10, 70, 71), "the same changes again")
    health.isTokenExpired = true
    expectThrown<IllegalStateException>("an expired changes token") { sync() }
}

suspend fun Phone.replaceRecord() {
    health.put("old", 0, 60, 61, 62)
    sync()
    health.delete("old")
    health.put("new", 1, 71, 72)
    sync()
    expect(stored(), at(1, 71, 72), "a record that replaces another")
}

suspend fun Phone.sendPages() {
    health.pageSize = 2
    for (minute in 0..4) health.put("$minute", minute, 60 + minute)
    sync()
    expect(stored(), at(0, 60, 61, 62, 63, 64), "three pages")
    val before = network.count(SYNC)
    health.put("long", 5, *IntArray(2_001) { 80 })
    sync()
    expect(stored().size, 5 + 2_001, "samples of a long record")
    expect(network.count(SYNC) - before, 3, "two parts, and the one without data")
    health.delete("long")
    sync()
    expect(stored().size, 5, "samples after the deletion of the long record")
}

suspend fun Phone.sendAgain() {
    val answer = client.sync(part("again"))
    expect(answer.getInt("accepted"), 1, "accepted records")
    expect(answer.getJSONArray("rejected").getJSONObject(0).getString("reason"), "bad_time", "the rejected record")
    expect(client.sync(part("again")).getString("receipt_id"), answer.getString("receipt_id"), "the receipt of a part")
    expect(stored(), at(-60, 60), "a part that was sent twice")
}

suspend fun Phone.stopAfterDisconnection() {
    client.sync(part("before"))
    service.call("DELETE", "/v2/user/$userId/health_connect")
    expect(expectThrown<Refused>("a disconnected provider") { sync() }.code, "connection_ended", "the code")
    service.advanceSeconds(1)
    signIn()
    health.put("first", 0, 60)
    sync()
    expect(stored(), at(-60, 60) + at(0, 60), "data after another sign-in")
}

suspend fun Phone.signOut() {
    val before = tokens
    client.signOut()
    expect(tokens, null, "tokens after the end")
    expectThrown<SignedOut>("a call after the sign-out") { sync() }
    tokens = before
    expectThrown<SignedOut>("a call with the tokens of before") { sync() }
    expect(tokens, null, "tokens that no longer work")
}

suspend fun Phone.refreshOnce() {
    service.advanceSeconds(3_600)
    val refreshed = CountDownLatch(1)
    val isFirst = AtomicBoolean(true)
    network.beforeAnswer = { path, status ->
        if (path == REFRESH) refreshed.countDown()
        // The first call learns that its token has expired after the others have refreshed and gone on.
        if (status == 401 && isFirst.getAndSet(false)) { refreshed.await(20, SECONDS); Thread.sleep(300) }
    }
    coroutineScope { (1..8).map { async { client.sync(part("call $it")) } }.awaitAll() }
    expect(network.count(REFRESH), 1, "refreshes of eight calls")
    expect(stored(), at(-60, 60), "data after the refresh")
}

suspend fun Phone.cancelRefresh() {
    service.advanceSeconds(3_600)
    val (started, release) = CountDownLatch(1) to CountDownLatch(1)
    network.beforeAnswer = { path, _ -> if (path == REFRESH) { started.countDown(); release.await(20, SECONDS) } }
    coroutineScope {
        val work = launch { client.sync(part("cancelled")) }
        check(started.await(20, SECONDS)) { "no refresh" }
        work.cancel()
        release.countDown()
    }
    client.sync(part("after"))
    expect(network.count(REFRESH), 1, "refreshes, with one of them cancelled")
}

suspend fun Phone.loseAnswer() {
    service.advanceSeconds(3_600)
    network.beforeAnswer = { path, _ -> if (path == REFRESH) throw IOException("the connection is lost") }
    expectThrown<IOException>("a lost answer") { client.sync(part("lost")) }
    expect(network.count(REFRESH), 1, "refreshes, with the answer lost")
}

suspend fun Phone.endSession() {
    val stolen = JSONObject().put("refresh_token", tokens?.refreshToken)
    service.forward("POST", REFRESH, stolen.toString(), "accept" to "application/json")
    health.put("first", 0, 60)
    expectThrown<SignedOut>("a session whose refresh token someone else has used") { sync() }
    expect(tokens, null, "tokens of an ended session")
    signIn()
    sync()
    expect(stored(), at(0, 60), "data after another sign-in")
}
