type Ideographic = 'gb18030' | 'shift_jis' | 'big5' | 'euc-kr' | 'euc-jp'

const KANA = /[\u3040-\u30ff]/
const HALF_WIDTH = /[\uff61-\uff9f]/
const HAN = /[\u4e00-\u9fff]/
const HANGUL = /[\uac00-\ud7a3]/
const MARK = /[\u3000-\u303f\uff00-\uff60\u2010-\u2026\u00b7]/

/** The most frequent Korean syllables. */
const COMMON_KOREAN = new Set(
  '이다는을의에가로하고한지사자서시기도리인은를대어아보정제스트수일전있부공해나도메악성코드',
)

/** The range of lead bytes of common characters, which the standards put first. */
const COMMON_LEAD_BYTES: Readonly<Record<Ideographic, readonly [from: number, to: number]>> = {
  gb18030: [0xb0, 0xd7],
  shift_jis: [0x88, 0x97],
  big5: [0xa4, 0xc6],
  'euc-kr': [0xb0, 0xc8],
  'euc-jp': [0xb0, 0xcf],
}

/** The range of lead bytes of punctuation and alphabets, which say nothing about ideographs. */
const OTHER_LEAD_BYTES: Readonly<Record<Ideographic, readonly [from: number, to: number]>> = {
  gb18030: [0xa1, 0xa9],
  shift_jis: [0x81, 0x84],
  big5: [0xa1, 0xa3],
  'euc-kr': [0xa1, 0xac],
  'euc-jp': [0x8e, 0xa8],
}

/** Scores how likely a text is in a language of this encoding, per non-ASCII byte, on the same scale as alphabets. */
export function ideographScore(text: string, bytes: Buffer, encoding: Ideographic): number {
  const beyond = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  const usual = commonShare(bytes, encoding)
  let score = 0
  for (const [character] of text.matchAll(/[^\0-\x7f]/gu)) score += characterScore(character, encoding, usual)
  return beyond === 0 ? 0 : score / beyond
}

function characterScore(character: string, encoding: Ideographic, usual: number): number {
  if (MARK.test(character)) return 1.5
  if (KANA.test(character)) return encoding === 'shift_jis' || encoding === 'euc-jp' ? 2.4 : -0.5
  if (HALF_WIDTH.test(character)) return -1
  if (HANGUL.test(character)) return encoding === 'euc-kr' ? (COMMON_KOREAN.has(character) ? 2.4 : 1.7) : -1
  if (HAN.test(character)) return encoding === 'euc-kr' ? -0.5 : 2 * usual
  return -1
}

/** The share of two-byte characters with a common lead byte, from -1 for none to 1 for all. */
function commonShare(bytes: Buffer, encoding: Ideographic): number {
  const [from, to] = COMMON_LEAD_BYTES[encoding]
  const others = OTHER_LEAD_BYTES[encoding]
  let count = 0
  let usual = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const isLead = byte > 0x80 && byte < 0xff && !(encoding === 'shift_jis' && byte >= 0xa0 && byte <= 0xdf)
    if (!isLead) continue
    at++
    if (byte >= others[0] && byte <= others[1]) continue
    count++
    // The later standard keeps the characters of the older one in its upper half.
    const isOld = encoding !== 'gb18030' || (bytes[at] ?? 0) > 0xa0
    if (isOld && byte >= from && byte <= to) usual++
  }
  return count === 0 ? 0 : (2 * usual) / count - 1
}
