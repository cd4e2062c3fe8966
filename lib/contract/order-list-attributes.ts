/** Attributes that order lists filter and sort by. A page then reads the orders themselves. */
export const orderListAttributes = [
  "order_id",
  "user_id",
  "updated_at",
  "method",
  "level",
  "level_at",
  "interpretation",
  "patient_name",
  "patient_dob",
  "receiver_name",
  "sample_id",
  "transaction_id",
  "activation",
];
