import { isTarHeader } from '../archive/tar-header.ts'

type Binary = 'pdf' | 'docx' | 'zip' | 'gzip' | 'tar' | 'unknown'

/** Binary formats by their first bytes, in hexadecimal. */
const SIGNATURES: readonly (readonly [kind: Binary, start: RegExp])[] = [
  ['gzip', /^1f8b08/],
  // Images, programs, other archives and older office documents are stored, but not read.
  ['unknown', /^(?:89504e470d0a1a0a|ffd8ff|474946383[79]61|52494646.{8}57454250|424d.{8}0000)/],
  ['unknown', /^(?:4d5a.{4,}0000|7f454c46|cafebabe|cffaedfe|feedfac[ef]|0061736d)/],
  ['unknown', /^(?:377abcaf271c|526172211a07|425a68|fd377a585a00|28b52ffd|4d534346|d0cf11e0a1b11ae1|213c617263683e0a)/],
]

const PDF_WITHIN = 1024

/** Returns the kind of a binary document; undefined if it may be text. */
export function binaryKind(head: Buffer, name: string): Binary | undefined {
  if (head.subarray(0, PDF_WITHIN).includes('%PDF-')) return 'pdf'
  const start = head.toString('hex', 0, 32)
  if (/^504b(?:0304|0506|0708|3030)/.test(start)) return zipKind(head, name)
  const known = SIGNATURES.find(([, signature]) => signature.test(start))
  if (known) return known[0]
  return isTarHeader(head) ? 'tar' : undefined
}

/** Office documents are zip archives of their parts, and must not be unpacked as archives. */
function zipKind(head: Buffer, name: string): Binary {
  if (head.includes('mimetypeapplication/vnd.oasis') || head.includes('mimetypeapplication/epub')) return 'unknown'
  if (!head.includes('[Content_Types].xml')) return head.includes('word/document.xml') ? 'docx' : 'zip'
  const isOther = head.includes('xl/') || head.includes('ppt/')
  const isWord = head.includes('word/') || (!isOther && /\.do[ct][xm]$/i.test(name))
  return isWord ? 'docx' : 'unknown'
}

/** Whether bytes are mostly text. Isolated invalid characters are left for the reader to report. */
export function isMostlyText(head: Buffer): boolean {
  let odd = 0
  for (const byte of head) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b) odd++
  }
  return odd * 50 <= head.length
}
