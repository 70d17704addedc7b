/** First labels that indicate an object in program code. */
const OBJECTS = new Set(
  (
    'app args array config console context ctx data document e el element event exports file item math module node obj ' +
    'object options os params process req request res response self socket string sys this user window'
  ).split(' '),
)

/** Last labels that are also common member names. */
const MEMBERS = new Set(
  'build call data date dev email host id info is link map name net new next open play run select style'.split(' '),
)

/** Top-level domains that hardly any host uses, but that are common words in program code. */
const RARE_SUFFIXES = new Set(
  'apple buy call case data drive fast fire fly here hot like map meet now off open pin play read room safe save search secure select song spot talk target zero'.split(
    ' ',
  ),
)

/** First labels that only code packages have. */
const PACKAGES = new Set(['android', 'androidx', 'dalvik', 'java', 'javax', 'jdk', 'kotlin'])

/** Top-level domains so common that a name with one of them is never code. */
const COMMON_SUFFIXES = new Set(
  'com org ru cn uk de fr nl eu us biz top xyz cc su ir br kr jp tk pw ua pl onion edu gov mil club online site'.split(
    ' ',
  ),
)

/** Domains that reversed package names start with. */
const PACKAGE_DOMAINS = new Set(['com', 'edu', 'gov', 'net', 'org'])

const PRODUCTS = /^(?:ado|asp|ml|vb|xamarin)\.net$|^socket\.io$/i

/** Short top-level domains that are also words: after a full stop without a space, they start a sentence. */
const SUFFIX_WORDS = new Set('am as at be by do in is it me my no or pm so to us'.split(' '))

/** Whether a name that could be a host is more likely a name in code, a package, or two sentences without a space. */
export function isRatherCode(labels: readonly string[], before: string, after: string): boolean {
  const first = (labels[0] ?? '').toLowerCase()
  const last = labels.at(-1) ?? ''
  const end = last.toLowerCase()
  if (/[$#&\\]$|::$|->$/.test(before) || /^\s?\(\s?\)/.test(after)) return true
  if (PRODUCTS.test(labels.join('.'))) return true
  if (COMMON_SUFFIXES.has(end) && !(last !== end && isCapitalised(last) && SUFFIX_WORDS.has(end))) return false
  if (/^\(/.test(after) || isCapitalised(last)) return true
  if (RARE_SUFFIXES.has(end) || PACKAGES.has(first) || (labels.length === 2 && OBJECTS.has(first) && MEMBERS.has(end)))
    return true
  if (PACKAGE_DOMAINS.has(first) && labels.length > 2) return true
  if (/[a-z][A-Z]/.test(labels.join('.')) && end !== 'net' && end !== 'info') return true
  return labels.length === 2 && /^\d{1,2}$/.test(first) && SUFFIX_WORDS.has(end)
}

const isCapitalised = (label: string): boolean => /^[A-Z][a-z]+$/.test(label)
