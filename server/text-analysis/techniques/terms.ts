import { splitWords } from '../../search/words.ts'
import { stem } from './stem.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words that say nothing about what happened, and those that stand in nearly every sentence about an attack. */
const STOP =
  words(`a about above across actor actors adversaries adversary after again against all also although always am among an and
  another any apt are around as at attack attacker attackers attacks be became because become been before began being below between both but by
  came campaign campaigns can cannot could did do does doing done due during each either else even ever every few finally first for from further
  gave get gets getting give given goes going got group groups had has have having he her here him his how however i if in instead into is it
  its itself just later like made make makes making malware many may me might more most much must my near never next no nor not now of off often
  on once one only onto or other others our out over own per rather same say says second see seen several she should since so some soon still
  such than that the their them themselves then there therefore these they third this those though threat through throughout thus to together
  too toward towards two under until up upon us use used uses using various very via was we well were what when where whether which while who
  whom whose why will with within without would yet you your ability able allow allowed allows capability capabilities capable including
  include includes included observed likely named called later reportedly`)

const LONGEST = 40

/** What a text is compared by: the stems of its words, in order. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const word of splitWords(text)) {
    if (word.length > LONGEST || (word.length < 2 && word !== 'c')) continue
    for (const part of partsOf(word)) if (!STOP.has(part)) terms.push(stem(part))
  }
  return terms
}

/** Names of files and of functions are words that a dot or underscore joins: `procdump.exe` is about ProcDump, too. */
function partsOf(word: string): readonly string[] {
  const plain = word.replace(/['\u2019](?:s|t|re|ve|ll)?$/, '')
  if (!/[._]/.test(plain)) return [plain]
  return [plain, ...plain.split(/[._]/).filter((part) => part.length > 2)]
}
