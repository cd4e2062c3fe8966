import { GetQueueAttributesCommand, paginateListQueues, SQSClient } from "@aws-sdk/client-sqs";

/** Numbers of messages of the queues with a name of this form, by URL. */
export async function countMessages(name: RegExp): Promise<Map<string, string | undefined>> {
  const client = new SQSClient({});
  const counts = new Map<string, string | undefined>();
  for await (const { QueueUrls = [] } of paginateListQueues({ client }, { MaxResults: 100 })) {
    for (const QueueUrl of QueueUrls.filter((url) => name.test(url))) {
      const AttributeNames = ["ApproximateNumberOfMessages" as const];
      const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      counts.set(QueueUrl, Attributes?.ApproximateNumberOfMessages);
    }
  }
  return counts;
}
