import androidx.health.connect.client.HealthConnectClient
import androidx.health.connect.client.changes.UpsertionChange
import androidx.health.connect.client.records.HeartRateRecord
import androidx.health.connect.client.response.ChangesResponse
import java.lang.reflect.Method
import java.lang.reflect.Proxy
import java.time.Instant
import java.time.ZoneOffset

const val BAND = "com.example.band"

/** Time of minute 0 of the stories. */
val morning: Instant = Instant.parse("2026-01-05T07:00:00Z")

/** Heart rates of an app. [client] reads their changes as on Android 14: a page lists upsertions before deletions. */
class FakeHealth {
    /** Changes in order of time: the id of a record, and the record unless it is deleted. */
    private val changes = mutableListOf<Pair<String, HeartRateRecord?>>()
    var pageSize = 1_000
    var isTokenExpired = false

    /** Answers the one call of the phone client. A token is the number of changes before it. */
    val client = Proxy.newProxyInstance(javaClass.classLoader, arrayOf(HealthConnectClient::class.java), ::answer)
        as HealthConnectClient

    @Suppress("UNUSED_PARAMETER")
    private fun answer(proxy: Any, method: Method, arguments: Array<Any?>?): ChangesResponse {
        check(method.name == "getChanges") { "the fake lacks ${method.name}" }
        return page((arguments?.first() as String).toInt())
    }

    private fun page(from: Int): ChangesResponse {
        val page = changes.drop(from).take(pageSize)
        val next = from + page.size
        // A change of a record that is deleted later has no record to show.
        val alive = changes.associate { it }
        val (gone, stored) = page.partition { (_, record) -> record == null }
        val upsertions = stored.filter { (id) -> alive[id] != null }.map { (_, record) -> UpsertionChange(record!!) }
        val deletions = gone.map { (id) -> HealthConnectInternals.deletion(id) }
        return HealthConnectInternals.page(upsertions + deletions, "$next", next < changes.size, isTokenExpired)
    }

    /** Stores or replaces a record, with one value in each minute. */
    fun put(id: String, fromMinute: Int, vararg values: Int) {
        val time = { at: Int -> morning.plusSeconds(60L * (fromMinute + at)) }
        val samples = values.mapIndexed { at, value -> HeartRateRecord.Sample(time(at), value.toLong()) }
        val zone = ZoneOffset.ofHours(2)
        val metadata = HealthConnectInternals.metadata(id, BAND)
        changes += id to HeartRateRecord(time(0), zone, time(values.size), zone, samples, metadata)
    }

    fun delete(id: String) {
        changes += id to null
    }
}

/** Heart rates as [LocalService.readHeartRates] lists them. */
fun at(fromMinute: Int, vararg values: Int): List<String> = values.mapIndexed { index, value ->
    "${morning.plusSeconds(60L * (fromMinute + index))} $value".replace("Z", "+00:00")
}
