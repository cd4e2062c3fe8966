/**
 * AWS list prices in US dollars from the public price pages (API Gateway, Lambda, DynamoDB, SQS, EventBridge, KMS): on
 * demand, without free tier, discount or tax. Change this table for another region or other prices.
 */
export const prices = {
  region: "us-east-1",
  /** Date of the price pages. */
  date: "2025-08-01",
  currency: "USD",
  httpApiRequest: 1 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** On arm64. */
  lambdaGbSecond: 0.0000133334,
  /** Per 1 KB. */
  dynamodbWrite: 0.625 / 1e6,
  /** Per 4 KB, strongly consistent. */
  dynamodbRead: 0.125 / 1e6,
  /** Table storage and point-in-time recovery. */
  storedGbMonth: 0.25 + 0.2,
  sqsRequest: 0.4 / 1e6,
  busEvent: 1 / 1e6,
} as const;
