/** Whether a text is an http or https URL without credentials, which every reader would see. */
export function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

/** Whether a text is a web address to which paths can be appended. */
export function isBaseAddress(text: string): boolean {
  return isWebAddress(text) && !/[?#]/.test(text)
}
