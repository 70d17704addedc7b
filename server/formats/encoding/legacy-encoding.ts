import { TextDecoder } from 'node:util'
import { alphabetScore } from './alphabets.ts'
import { ideographScore } from './ideographs.ts'

/** Single-byte encodings with the most frequent letters of their languages. The first of equal matches counts. */
const ALPHABETS: readonly (readonly [encoding: string, letters: string])[] = [
  ['windows-1252', 'éäöü’–“”àèçñáóíêãåøß‘—•…âôúëîï°«»€§®™©·ÉÄÖÜÅØÇÑÀÈÁÓìòùæœõû'],
  ['windows-1251', 'оеаинтсрвлкмдпуяызьбгчйхжшюцщэфіїєъёОЕАИНТСРВЛКМДПУЯЗБГЧХЖШЮЦЭФ«»—–№“”’…'],
  ['koi8-r', 'оеаинтсрвлкмдпуяызьбгчйхжшюцщэфъёОЕАИНТСРВЛКМДПУЯЗБГЧХЖШЮЦЭФ'],
  ['ibm866', 'оеаинтсрвлкмдпуяызьбгчйхжшюцщэфъёОЕАИНТСРВЛКМДПУЯЗБГЧХЖШЮЦЭФ№'],
  ['windows-1250', 'ąęłśżóćńěšřžčýáéíúůőűöüäťďňźĄĆĘŁŃŚŹŻČŘŠŽŐŰÁÉÍÓÚÖÜ„”–—…’'],
  ['windows-1253', 'αοιετνσηρπκμλςυγωδχθφβξζψάέήίόύώΑΟΙΕΤΝΣΗΡΠΚΜΛΥΓΩΔΧΘΦΒΞΖΨ«»–—’'],
  ['windows-1254', 'ıişğçöüİŞĞÇÖÜâîû’‘“”–—…'],
  ['windows-1255', 'יוהלארתבשמנעדחקפכגטצזסםןךףץ–—“”'],
  ['windows-1256', 'اليمونرتبةعدسفهكقحجذشطصخضثزظغءآأإئؤىپچژگ،؛؟'],
  ['windows-1257', 'āčēģīķļņšūžąęėįųĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲ„“–—'],
  ['windows-874', 'านรอกเงมยลวดทสตะปบคหแจพชขใไโผซธศฉณษฟภฒฐญึัิีุู็่้๊๋์ำาๆฯ'],
]

/** Encodings with two bytes for most characters. */
const IDEOGRAPHS = ['gb18030', 'shift_jis', 'big5', 'euc-kr', 'euc-jp'] as const

/**
 * Detects the encoding of lines that are not UTF-8: the one that gives the most likely text. The fallback is Windows-1252, in which every
 * byte is a character and ASCII is unchanged.
 */
export function legacyEncodingOf(lines: Buffer): string {
  const scores = [
    ...ALPHABETS.map(([encoding, letters]) => [
      encoding,
      scoreOf(lines, encoding, (text) => alphabetScore(text, letters) + priorOf(encoding)),
    ]),
    ...IDEOGRAPHS.map((encoding) => [
      encoding,
      scoreOf(lines, encoding, (text) => ideographScore(text, lines, encoding)),
    ]),
  ] as const
  const [best] = scores.toSorted((a, b) => Number(b[1]) - Number(a[1]))
  return best !== undefined && Number(best[1]) > 0 ? String(best[0]) : 'windows-1252'
}

/** Windows-1252 is the most common encoding of programs that declare none. */
const priorOf = (encoding: string): number => (encoding === 'windows-1252' ? 0.15 : 0)

function scoreOf(lines: Buffer, encoding: string, score: (text: string) => number): number {
  try {
    return score(new TextDecoder(encoding, { fatal: true }).decode(lines))
  } catch {
    // Some bytes are invalid in this encoding.
    return Number.NEGATIVE_INFINITY
  }
}
