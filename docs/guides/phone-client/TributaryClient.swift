// A client for iPhones: the same steps as phone-client.ts, with HealthKit as the source.
// Nobody has compiled this file. Test it in your application before you rely on it.

import Foundation
import HealthKit

struct Tokens: Codable, Equatable { let access_token: String; let refresh_token: String }

/// The user must sign in again: the session has ended.
struct SignedOut: Error {}

/// The service refuses the request for good. After `connection_ended`, sign in anew once the user wants that.
struct Refused: Error { let status: Int; let code: String }
private struct Problem: Decodable { let code: String }

/// The number of accepted records and deletions, and the rejected ones with their reasons.
struct Acceptance: Codable {
    struct Rejection: Codable { let resource: String; let index: Int; let reason: String }
    let accepted: Int
    let rejected: [Rejection]
}

/// Where the tokens lie. Use the keychain, with `kSecAttrAccessibleAfterFirstUnlock` for background delivery.
protocol TokenStore { func load() -> Tokens?; func save(_ tokens: Tokens?) }

/// An actor, so that two calls never refresh at the same time: a refresh token that is used twice ends the session.
/// Every call throws a `URLError` for an outage or a limit: repeat it later.
actor TributaryClient {
    private let baseUrl: URL
    private let store: TokenStore
    private var refreshing: Task<Tokens, Error>?

    init(baseUrl: URL, store: TokenStore) { self.baseUrl = baseUrl; self.store = store }

    /// Exchanges the token that your backend created for this user. It works once, and within an hour.
    func signIn(_ signInToken: String) async throws {
        let data = try await post("/v2/sdk/session", ["sign_in_token": signInToken], nil)
        store.save(try JSONDecoder().decode(Tokens.self, from: data))
    }

    /// Sends one part. Repeat a part with the same `syncId` and number until this returns: it counts once.
    @discardableResult
    func sync(_ part: [String: Any]) async throws -> Acceptance {
        let data = try await send("/v2/sdk/sync", part)
        return try JSONDecoder().decode(Acceptance.self, from: data)
    }

    /// Ends the session. The data stays.
    func signOut() async throws {
        _ = try await send("/v2/sdk/session/revoke", [:])
        store.save(nil)
    }

    private func send(_ path: String, _ body: [String: Any]) async throws -> Data {
        guard let tokens = store.load() else { throw SignedOut() }
        do {
            return try await post(path, body, tokens.access_token)
        } catch is SignedOut {
            let renewed = try await refresh(tokens)
            return try await post(path, body, renewed.access_token)
        }
    }

    private func refresh(_ used: Tokens) async throws -> Tokens {
        if let refreshing { return try await refreshing.value }
        guard let current = store.load() else { throw SignedOut() }
        if current != used { return current } // Another call has refreshed meanwhile.
        // A task of its own: a caller that is cancelled must not lose the tokens that the service has already changed.
        let task = Task<Tokens, Error> {
            do {
                let data = try await post("/v2/sdk/session/refresh", ["refresh_token": current.refresh_token], nil)
                let tokens = try JSONDecoder().decode(Tokens.self, from: data)
                store.save(tokens) // Before the first use: a crash must not lose them.
                return tokens
            } catch is SignedOut {
                store.save(nil)
                throw SignedOut()
            }
        }
        refreshing = task
        defer { refreshing = nil }
        return try await task.value
    }

    private func post(_ path: String, _ body: [String: Any], _ accessToken: String?) async throws -> Data {
        var request = URLRequest(url: baseUrl.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        if let accessToken { request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "authorization") }
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if (200..<300).contains(status) { return data }
        if status == 401 { throw SignedOut() }
        if status == 0 || status == 429 || status >= 500 { throw URLError(.badServerResponse) }
        let problem = try? JSONDecoder().decode(Problem.self, from: data)
        throw Refused(status: status, code: problem?.code ?? "")
    }
}

/// What HealthKit does not say about a deleted sample: its time and its device. Store it by the UUID of the sample.
struct Sent: Codable, Hashable { let time: String; let device: String }

/// Reads new and deleted heart rates since the last anchor, and sends them.
/// HealthKit names a deleted sample by its UUID alone. The service needs its time and device, which `sent` remembers.
/// - Returns: the anchor to store. An interrupted call stores none, so the next one reads the same samples again.
func syncHeartRates(health: HKHealthStore, client: TributaryClient, anchor: HKQueryAnchor?,
                    sent: inout [UUID: Sent]) async throws -> HKQueryAnchor {
    let type = HKQuantityType(.heartRate)
    var from = anchor
    while true {
        let predicates = [HKSamplePredicate.quantitySample(type: type)]
        let query = HKAnchoredObjectQueryDescriptor(predicates: predicates, anchor: from, limit: 2_000)
        let page = try await query.result(for: health)
        if page.addedSamples.isEmpty && page.deletedObjects.isEmpty {
            // Also without news, or the connection becomes stale.
            try await client.sync(part(nil, [:]))
            return page.newAnchor
        }
        try await sendAdded(page.addedSamples, client, &sent)
        try await sendDeleted(page.deletedObjects.map(\.uuid), client, &sent)
        from = page.newAnchor
    }
}

private func sendAdded(_ added: [HKQuantitySample], _ client: TributaryClient,
                       _ sent: inout [UUID: Sent]) async throws {
    let unit = HKUnit.count().unitDivided(by: .minute())
    // A batch has one device and one app.
    for (device, samples) in Dictionary(grouping: added, by: deviceId) {
        var records: [[String: Any]] = []
        for sample in samples {
            let time = localTime(sample.startDate)
            sent[sample.uuid] = Sent(time: time, device: device)
            records.append(["timestamp": time, "value": sample.quantity.doubleValue(for: unit)])
        }
        try await client.sync(part(device, ["resources": ["heartrate": records]]))
    }
}

/// Spares times that another sample of the device has: an app changes a sample by deleting it and saving another one.
private func sendDeleted(_ ids: [UUID], _ client: TributaryClient,
                         _ sent: inout [UUID: Sent]) async throws {
    let gone = Set(ids)
    let deleted = Set(ids.compactMap { sent[$0] })
    let others = Set(sent.filter { !gone.contains($0.key) }.values)
    for (device, samples) in Dictionary(grouping: deleted.subtracting(others), by: \.device) {
        let names = samples.map { ["timestamp": $0.time] }
        try await client.sync(part(device, ["deleted": ["heartrate": names]]))
    }
    // Forget a sample only after its deletion arrived, because an interrupted call must find it again.
    for id in ids { sent[id] = nil }
}

private func deviceId(_ sample: HKQuantitySample) -> String {
    sample.device?.localIdentifier ?? sample.device?.model ?? "unknown"
}

private func part(_ device: String?, _ content: [String: Any]) -> [String: Any] {
    var about: [String: Any] = [
        "provider": "apple_health_kit", "source_type": "watch", "resources": [String: Any](),
        "sync_id": UUID().uuidString, "part": 0, "done": true,
    ]
    if let device { about["device"] = ["id": device] }
    return about.merging(content) { $1 }
}

/// A time with the offset from UTC at that time where the phone is now, so that the service knows the local day.
func localTime(_ date: Date) -> String {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    format.timeZone = .current
    return format.string(from: date)
}
