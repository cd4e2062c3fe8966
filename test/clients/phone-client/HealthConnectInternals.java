import androidx.health.connect.client.changes.Change;
import androidx.health.connect.client.changes.DeletionChange;
import androidx.health.connect.client.records.metadata.DataOrigin;
import androidx.health.connect.client.records.metadata.Metadata;
import androidx.health.connect.client.response.ChangesResponse;
import java.time.Instant;
import java.util.List;

/** Makes what only Health Connect itself may make. In Java, because Kotlin refuses its internal constructors. */
public final class HealthConnectInternals {
    private HealthConnectInternals() {}

    public static DeletionChange deletion(String recordId) {
        return new DeletionChange(recordId);
    }

    public static ChangesResponse page(List<Change> changes, String nextToken, boolean hasMore, boolean isExpired) {
        return new ChangesResponse(changes, nextToken, hasMore, isExpired);
    }

    /** What Health Connect knows of a record that an app has stored. */
    public static Metadata metadata(String recordId, String app) {
        var origin = new DataOrigin(app);
        return new Metadata(Metadata.RECORDING_METHOD_UNKNOWN, recordId, origin, Instant.EPOCH, null, 0, null);
    }
}
