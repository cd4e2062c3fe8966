/**
 * What AWS asks, in US dollars, from its public price pages (API Gateway, Lambda, DynamoDB, SQS, EventBridge, KMS): on
 * demand, no free tier, no discount, no tax. Whoever deploys elsewhere, or pays less, changes this table.
 */
export const prices = {
  region: "us-east-1",
  /** When the pages said so. */
  date: "2025-08-01",
  currency: "USD",
  httpApiRequest: 1 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** Of a function on arm64. */
  lambdaGbSecond: 0.0000133334,
  /** Of 1 KB. */
  dynamodbWrite: 0.625 / 1e6,
  /** Of 4 KB, consistent. */
  dynamodbRead: 0.125 / 1e6,
  /** The table, and what it takes to restore it to any point. */
  storedGbMonth: 0.25 + 0.2,
  sqsRequest: 0.4 / 1e6,
  busEvent: 1 / 1e6,
} as const;
