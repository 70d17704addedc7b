/** A label in the middle of a sentence: “Webhook” becomes “webhook”, while abbreviations such as “CSV mapping” stay as they are. */
export const inSentence = (label: string): string =>
  /^[A-Z](?:[a-z]|$)/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label
