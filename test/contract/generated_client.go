// Plays a short story with a client that is generated from the OpenAPI document: a user, a batch, its receipt, its sample.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	tributary "example.com/tributary/client"
)

type localRun struct {
	BaseUrl string `json:"base_url"`
	ApiKey  string `json:"api_key"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func connect(file string) (*tributary.APIClient, context.Context) {
	text, err := os.ReadFile(file)
	check(err)
	var local localRun
	check(json.Unmarshal(text, &local))
	configuration := tributary.NewConfiguration()
	configuration.Servers = tributary.ServerConfigurations{{URL: local.BaseUrl}}
	configuration.AddDefaultHeader("x-service-api-key", local.ApiKey)
	return tributary.NewAPIClient(configuration), context.Background()
}

func sendHeartRate(client *tributary.APIClient, ctx context.Context, userId string) string {
	record := tributary.NewHeartrateRecord(61)
	record.SetTimestamp(time.Date(2026, 1, 2, 8, 0, 0, 0, time.UTC))
	provider := tributary.PROVIDERSLUG_OURA
	resources := tributary.IngestResources{Heartrate: []tributary.HeartrateRecord{*record}}
	batch := tributary.NewIngestBatchRequest(*tributary.NewNullableProviderSlug(&provider), "ring", resources)
	accepted, _, err := client.IngestAPI.IngestBatch(ctx, userId).IngestBatchRequest(*batch).Execute()
	check(err)
	return accepted.ReceiptId
}

func main() {
	client, ctx := connect(os.Args[1])
	body := tributary.NewCreateUserRequest("generated in Go")
	user, _, err := client.UsersAPI.CreateUser(ctx).CreateUserRequest(*body).Execute()
	check(err)
	receiptId := sendHeartRate(client, ctx, user.UserId)
	stored := int32(0)
	for attempt := 0; attempt < 100 && stored == 0; attempt++ {
		receipt, _, err := client.IngestAPI.GetReceipt(ctx, user.UserId, receiptId).Execute()
		check(err)
		stored = int32(receipt.Stored)
		time.Sleep(100 * time.Millisecond)
	}
	if stored != 1 {
		panic("the sample was not stored")
	}
	page, _, err := client.TimeseriesAPI.GetGroupedTimeseriesHeartrate(ctx, user.UserId).
		StartDate("2026-01-02").EndDate("2026-01-02").Execute()
	check(err)
	if value := page.Groups["oura"][0].Data[0].Value; value != 61 {
		panic(fmt.Sprintf("read %v instead of 61", value))
	}
	fmt.Println("a generated Go client created a user, sent a batch, and read its receipt and its sample")
}
