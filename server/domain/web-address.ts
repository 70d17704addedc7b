/** Whether a text is an address that can be called: http or https, and no user or password, which every reader would see. */
export function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

/** Whether a text is a web address that paths can be put behind. */
export function isBaseAddress(text: string): boolean {
  return isWebAddress(text) && !/[?#]/.test(text)
}
