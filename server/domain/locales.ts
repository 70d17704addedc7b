/** Whether a text is a time zone identifier, such as Europe/Amsterdam. */
export function isTimeZone(text: string): boolean {
  // Intl also accepts offsets such as +01:00, which are not identifiers.
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
