import { isWebAddress } from '../../domain/web-address.ts'
import type { Reader } from '../finding.ts'
import { decodeBytes } from './decode-text.ts'
import { htmlText } from './html-text.ts'
import { reportOf } from './report.ts'
import { timeOf } from './time-of.ts'
import { wholeOf } from './whole.ts'

/** How many bytes are searched for a charset declaration, as in browsers. */
const CHARSET_SEARCH_BYTES = 1_024

/** Reads a web page as a report with its visible text and the observables in it. */
export const readHtml: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const { text, ...decoded } = decodeBytes(bytes, declaredIn(bytes))
  const page = htmlText(text)
  yield await reportOf({
    bytes,
    name: document.name,
    titles: [page.title, page.heading],
    text: page.text,
    // The address of the page itself is not an indicator.
    preface: isWebAddress(page.address ?? '') ? `Link: ${page.address?.slice(0, 2_000)}` : undefined,
    timestamp: timeOf(page.published),
    techniques: page.techniques,
    ...decoded,
  })
}

function declaredIn(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, CHARSET_SEARCH_BYTES).toString('latin1')
  return /<meta[^>]{0,200}?charset\s{0,3}=\s{0,3}["']?([\w:-]{1,40})/i.exec(head)?.[1]
}
