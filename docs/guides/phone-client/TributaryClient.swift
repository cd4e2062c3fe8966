// A client for iPhones: the same steps as phone-client.ts, with HealthKit as the source.
// Nobody has compiled this file. Test it in your application before you rely on it.

import Foundation
import HealthKit

struct Tokens: Codable { let access_token: String; let refresh_token: String }
struct SignedOut: Error {}

/// Where the tokens lie. Use the keychain, with `kSecAttrAccessibleAfterFirstUnlock` for background delivery.
protocol TokenStore { func load() -> Tokens?; func save(_ tokens: Tokens?) }

/// An actor, so that two calls never refresh at the same time: a refresh token that is used twice ends the session.
actor TributaryClient {
    private let baseUrl: URL
    private let store: TokenStore
    private var refreshing: Task<Tokens, Error>?

    init(baseUrl: URL, store: TokenStore) { self.baseUrl = baseUrl; self.store = store }

    /// Exchanges the token that your backend created for this user. It works once, and within an hour.
    func signIn(_ signInToken: String) async throws {
        let (data, status) = try await post("/v2/sdk/session", ["sign_in_token": signInToken], nil)
        guard status == 200 else { throw SignedOut() }
        store.save(try JSONDecoder().decode(Tokens.self, from: data))
    }

    /// Sends one part. Repeat a part with the same `syncId` and number until this returns: it counts once.
    func sync(_ part: [String: Any]) async throws {
        guard let tokens = store.load() else { throw SignedOut() }
        var (_, status) = try await post("/v2/sdk/sync", part, tokens.access_token)
        if status == 401 { (_, status) = try await post("/v2/sdk/sync", part, try await refresh().access_token) }
        if status == 401 { throw SignedOut() }
        guard status == 202 else { throw URLError(.badServerResponse) } // 429 and 5xx: repeat later. 4xx: a mistake.
    }

    private func refresh() async throws -> Tokens {
        if let refreshing { return try await refreshing.value }
        let task = Task { () throws -> Tokens in
            guard let old = store.load() else { throw SignedOut() }
            let (data, status) = try await post("/v2/sdk/session/refresh", ["refresh_token": old.refresh_token], nil)
            if status == 401 { store.save(nil); throw SignedOut() }
            guard status == 200 else { throw URLError(.badServerResponse) }
            let tokens = try JSONDecoder().decode(Tokens.self, from: data)
            store.save(tokens) // Before the first use: a crash must not lose them.
            return tokens
        }
        refreshing = task
        defer { refreshing = nil }
        return try await task.value
    }

    private func post(_ path: String, _ body: [String: Any], _ accessToken: String?) async throws -> (Data, Int) {
        var request = URLRequest(url: baseUrl.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        if let accessToken { request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "authorization") }
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await URLSession.shared.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}

/// What HealthKit does not say about a deleted sample: its time and its device. Store it by the UUID of the sample.
struct Sent: Codable { let time: String; let device: String }

/// Reads new and deleted heart rates since the last anchor, and sends them.
/// HealthKit names a deleted sample by its UUID alone. The service needs its time and device, which `sent` remembers.
/// - Returns: the anchor to store. An interrupted call stores none, so the next one reads the same samples again.
func syncHeartRates(health: HKHealthStore, client: TributaryClient, anchor: HKQueryAnchor?,
                    sent: inout [UUID: Sent]) async throws -> HKQueryAnchor {
    let type = HKQuantityType(.heartRate)
    let query = HKAnchoredObjectQueryDescriptor(predicates: [.quantitySample(type: type)], anchor: anchor, limit: 2_000)
    let found = try await query.result(for: health)
    let unit = HKUnit.count().unitDivided(by: .minute())
    // A batch has one device and one app.
    for (device, samples) in Dictionary(grouping: found.addedSamples, by: deviceId) {
        let records = samples.map { sample -> [String: Any] in
            let time = localTime(sample.startDate)
            sent[sample.uuid] = Sent(time: time, device: device)
            return ["timestamp": time, "value": sample.quantity.doubleValue(for: unit)]
        }
        try await client.sync(part(device, ["resources": ["heartrate": records]]))
    }
    // Forget a sample only after its deletion arrived, because an interrupted call must find it again.
    let deleted = found.deletedObjects.compactMap { sent[$0.uuid] }
    for (device, samples) in Dictionary(grouping: deleted, by: \.device) {
        let names = samples.map { ["timestamp": $0.time] }
        try await client.sync(part(device, ["resources": [String: Any](), "deleted": ["heartrate": names]]))
    }
    for object in found.deletedObjects { sent[object.uuid] = nil }
    return found.newAnchor
}

private func deviceId(_ sample: HKQuantitySample) -> String {
    sample.device?.localIdentifier ?? sample.device?.model ?? "unknown"
}

private func part(_ device: String, _ content: [String: Any]) -> [String: Any] {
    let about: [String: Any] = [
        "provider": "apple_health_kit", "source_type": "watch", "device": ["id": device],
        "sync_id": UUID().uuidString, "part": 0, "done": true,
    ]
    return about.merging(content) { $1 }
}

/// A time with the offset from UTC that the phone has now, so that the service knows the local day.
func localTime(_ date: Date) -> String {
    let format = ISO8601DateFormatter()
    format.timeZone = .current
    return format.string(from: date)
}
