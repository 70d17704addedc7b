/** Whether a text is the identifier of a time zone, such as Europe/Amsterdam. */
export function isTimeZone(text: string): boolean {
  // Offsets such as +01:00 are accepted by Intl, but they are no identifiers.
  if (/^[+-]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** Whether a text is a language tag, such as en-GB. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
