const MAX_LENGTH = 200

/** A name in the text of a notification. */
export const quoted = (name: string): string =>
  `‘${name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH).toWellFormed()}…` : name}’`
