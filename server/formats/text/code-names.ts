/** What a dotted name in a program begins with. */
const OBJECTS = new Set(
  (
    'app args array config console context ctx data document e el element event exports file item math module node obj ' +
    'object options os params process req request res response self socket string sys this user window'
  ).split(' '),
)

/** Ends of names that members of objects are called, too. */
const MEMBERS = new Set(
  'build call data date dev email host id info is link map name net new next open play run select style'.split(' '),
)

/** Ends of names that are allowed and that nobody uses for hosts, but everybody in programs. */
const UNUSED = new Set(
  'apple buy call case data drive fast fire fly here hot like map meet now off open pin play read room safe save search secure select song spot talk target zero'.split(
    ' ',
  ),
)

/** Packages of programs that begin like nothing else. */
const PACKAGES = new Set(['android', 'androidx', 'dalvik', 'java', 'javax', 'jdk', 'kotlin'])

/** Ends of names that everybody knows as such: with them, nothing is a name in a program. */
const PLAIN_ENDS = new Set(
  'com org ru cn uk de fr nl eu us biz top xyz cc su ir br kr jp tk pw ua pl onion edu gov mil club online site'.split(
    ' ',
  ),
)

/** The domains that packages are named after. */
const REVERSED = new Set(['com', 'edu', 'gov', 'net', 'org'])

const PRODUCTS = /^(?:ado|asp|ml|vb|xamarin)\.net$|^socket\.io$/i

/** Short ends of names that are words as well: after a full stop without a space they begin a sentence. */
const WORDS = new Set('am as at be by do in is it me my no or pm so to us'.split(' '))

/** Whether a name that could be that of a host is rather one of a program, of a package, or two sentences without a space. */
export function isRatherCode(labels: readonly string[], before: string, after: string): boolean {
  const first = (labels[0] ?? '').toLowerCase()
  const last = labels.at(-1) ?? ''
  const end = last.toLowerCase()
  if (/[$#&\\]$|::$|->$/.test(before) || /^\s?\(\s?\)/.test(after)) return true
  if (PRODUCTS.test(labels.join('.'))) return true
  if (PLAIN_ENDS.has(end) && !(last !== end && isCapitalised(last) && WORDS.has(end))) return false
  if (/^\(/.test(after) || isCapitalised(last)) return true
  if (UNUSED.has(end) || PACKAGES.has(first) || (labels.length === 2 && OBJECTS.has(first) && MEMBERS.has(end)))
    return true
  if (REVERSED.has(first) && labels.length > 2) return true
  if (/[a-z][A-Z]/.test(labels.join('.')) && end !== 'net' && end !== 'info') return true
  return labels.length === 2 && /^\d{1,2}$/.test(first) && WORDS.has(end)
}

const isCapitalised = (label: string): boolean => /^[A-Z][a-z]+$/.test(label)
