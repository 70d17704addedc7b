const PROGRAMS = 'apk bat bin chm class cmd cpl dex dll dmg drv dylib elf exe hta ipa jar js jse ko lnk msi msix ocx'
const SCRIPTS = 'pif pkg pl ps1 psm1 py rb reg scr sct sh so sys vbe vbs wsf wsh xll asp aspx cgi jsp jspx php'
const DOCUMENTS =
  'doc docm docx dot dotm eml htm html msg odt pdf ppam ppt pptm pptx rtf txt url xlam xls xlsb xlsm xlsx'
const CONTAINERS = '7z zipx ace arj bz2 cab gz img iso lzh rar tar tgz vhd vhdx xz zip dat tmp'
const PICTURES = 'bmp flv gif ico jpeg jpg png svg swf'
const SETTINGS = 'cfg conf csv inf ini log plist'
/** Extensions of files that are of no interest, and that are not top-level domains either. */
const SOURCES = 'c cc cpp cs csproj css go h hpp java json jsx kt lock m map md ml mm mod properties ps rs rst sln sql'
const MORE_SOURCES = 'sum svelte swift toml ts tsx vb vue xml yaml yml avi mov mp3 mp4 wav ttf woff woff2'

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '))

/** Extensions of files that may be relevant to an attack. */
const RELEVANT = words(PROGRAMS, SCRIPTS, DOCUMENTS, CONTAINERS, PICTURES, SETTINGS)

const PLAIN = words(SOURCES, MORE_SOURCES, 'com one')

/**
 * Extensions that are also top-level domains, and mean files unless something else indicates a host. Those with many hosts are not
 * included: cc, com, in, pl.
 */
const RATHER_FILES = words('bar cab dot java map md mm mov properties ps pub py rs sh so zip')

/** Extensions among them that are common for hosts with subdomains. */
const OFTEN_HOSTS = words('md pub rs sh so')

const IN_FILE_NAMES = /^(?:\d+|bak|config|d|dev|en|local|min|old|orig|prod|spec|tar|test|v\d+)$/i

/** Typical file names that hosts can have as well. */
const USUAL_FILES = /^(?:bot|config|exploit|index|install|main|perl|run|script|server|setup|shell|test|update|worker)$/i

/** Names that end like files but are libraries (Node.js) or members of objects (module.URL). */
const NO_FILES =
  /^[A-Z][A-Za-z\d]*\.js$|^(?:console|logger|log)\.log$|^[^a-z]*[a-z].*\.(?!EXE$|DLL$|PDF$|DOCX?$)[A-Z]+$|^\d*\./

/** Whether a name is a file that may be relevant to an attack. */
export function isRelevantFile(labels: readonly string[]): boolean {
  const ending = (labels.at(-1) ?? '').toLowerCase()
  return RELEVANT.has(ending) && !NO_FILES.test(labels.join('.'))
}

/** Whether a path ends with a file extension. */
export const hasFileEnding = (name: string): boolean => {
  const [, ending = ''] = /\.([A-Za-z\d]{1,10})$/.exec(name) ?? []
  const lower = ending.toLowerCase()
  return RELEVANT.has(lower) || PLAIN.has(lower)
}

/** Whether a name that could be a host is more likely a file, such as setup.py. */
export function isRatherFile(labels: readonly string[], suffix: string): boolean {
  const ending = (labels.at(-1) ?? '').toLowerCase()
  // Paraguay and other countries register domains under com.py, and no file is named like that.
  if (suffix.includes('.')) return false
  if (OFTEN_HOSTS.has(ending) && labels.length > 2 && !IN_FILE_NAMES.test(labels.at(-2) ?? '')) return false
  if (RATHER_FILES.has(ending)) return true
  return /^(?:cc|pl|ml)$/.test(ending) && labels.length === 2 && USUAL_FILES.test(labels[0] ?? '')
}
