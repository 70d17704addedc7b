const CHARACTER = "(?:[a-z\\d\\-._~!$&'()*+,;=:@]|%[\\da-f]{2})"
const USER = "(?:[a-z\\d\\-._~!$&'()*+,;=:]|%[\\da-f]{2})*@"
const HOST = "(?:\\[[\\da-f:.]+\\]|(?:[a-z\\d\\-._~!$&'()*+,;=]|%[\\da-f]{2})*)"
const PATH = `${CHARACTER}+(?:/${CHARACTER}*)*`
const HIERARCHY = `(?://(?:${USER})?${HOST}(?::\\d*)?(?:/${CHARACTER}*)*|/(?:${PATH})?|${PATH})`
const REST = `(?:${CHARACTER}|[/?])*`
const URI = new RegExp(`^[a-z][a-z\\d+.-]*:${HIERARCHY}(?:\\?${REST})?(?:#${REST})?$`, 'i')

/** Whether a text is a URI according to RFC 3986, as STIX requires. */
export const isUri = (text: string): boolean => URI.test(text)
