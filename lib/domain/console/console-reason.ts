/** Why a person looks at a user: one word of a list, and the reference of a case. Free text could name somebody. */
const REASON = /^(support|clinical|quality|legal|other)( [A-Za-z0-9][\w.-]{0,39})?$/;

/** Returns the reason if it has the form, otherwise undefined. */
export const parseReason = (text: string | undefined): string | undefined =>
  text !== undefined && REASON.test(text) ? text : undefined;
