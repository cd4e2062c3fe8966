/** Methods of the public client whose route does not exist yet; the list only ever shrinks. */
export const notYet: readonly string[] = [
  "aggregate.queryOne",
  "aggregate.getResultTableForContinuousQuery",
  "aggregate.getTaskHistoryForContinuousQuery",
  "labReport.parserCreateJob",
  "labReport.parserGetJob",
  "labTests.getResultPdf",
  "labTests.getResultMetadata",
  "labTests.getResultRaw",
  "labTests.listUnmatchedResultTestCases",
  "labTests.createUnmatchedResultTest",
  "labTests.getUnmatchedResultTest",
  "labTests.listUnmatchedResults",
  "labTests.getUnmatchedResult",
  "labTests.acceptUnmatchedResult",
  "labTests.resolveUnmatchedResult",
  "orderTransaction.getTransactionResult",
  "orderTransaction.getTransactionResultPdf",
  "team.getSourcePriorities",
  "team.updateSourcePriorities",
];

/**
 * Those of them whose path looks like that of a route with a variable, which answers 422 because what stands in the
 * variable's place is no id.
 */
export const takenByVariable: readonly string[] = [];
