const PROGRAMS = 'apk bat bin chm class cmd cpl dex dll dmg drv dylib elf exe hta ipa jar js jse ko lnk msi msix ocx'
const SCRIPTS = 'pif pkg pl ps1 psm1 py rb reg scr sct sh so sys vbe vbs wsf wsh xll asp aspx cgi jsp jspx php'
const DOCUMENTS =
  'doc docm docx dot dotm eml htm html msg odt pdf ppam ppt pptm pptx rtf txt url xlam xls xlsb xlsm xlsx'
const CONTAINERS = '7z zipx ace arj bz2 cab gz img iso lzh rar tar tgz vhd vhdx xz zip dat tmp'
const PICTURES = 'bmp flv gif ico jpeg jpg png svg swf'
const SETTINGS = 'cfg conf csv inf ini log plist'
/** Endings of files that nobody looks for, and that are no names of hosts either. */
const SOURCES = 'c cc cpp cs csproj css go h hpp java json jsx kt lock m map md ml mm mod properties ps rs rst sln sql'
const MORE_SOURCES = 'sum svelte swift toml ts tsx vb vue xml yaml yml avi mov mp3 mp4 wav ttf woff woff2'

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '))

/** Endings of files that say something of an attack. */
const TELLING = words(PROGRAMS, SCRIPTS, DOCUMENTS, CONTAINERS, PICTURES, SETTINGS)

const PLAIN = words(SOURCES, MORE_SOURCES, 'com one')

/**
 * Endings of files that are ends of names of hosts as well, and mean files where nothing else is said. Those that many hosts
 * have are not among them: cc, com, in, pl.
 */
const RATHER_FILES = words('bar cab dot java map md mm mov properties ps pub py rs sh so zip')

/** Those of them that hosts have which are named below another. */
const OFTEN_HOSTS = words('md pub rs sh so')

const IN_FILE_NAMES = /^(?:\d+|bak|config|d|dev|en|local|min|old|orig|prod|spec|tar|test|v\d+)$/i

/** Names that files with an ending have which hosts have as well. */
const USUAL_FILES = /^(?:bot|config|exploit|index|install|main|perl|run|script|server|setup|shell|test|update|worker)$/i

/** Names that end like files and are libraries (Node.js) or members of objects (module.URL). */
const NO_FILES =
  /^[A-Z][A-Za-z\d]*\.js$|^(?:console|logger|log)\.log$|^[^a-z]*[a-z].*\.(?!EXE$|DLL$|PDF$|DOCX?$)[A-Z]+$|^\d*\./

/** Whether a name is that of a file which says something of an attack. */
export function isTellingFile(labels: readonly string[]): boolean {
  const ending = (labels.at(-1) ?? '').toLowerCase()
  return TELLING.has(ending) && !NO_FILES.test(labels.join('.'))
}

/** Whether the ending of a path is one that files have. */
export const hasFileEnding = (name: string): boolean => {
  const [, ending = ''] = /\.([A-Za-z\d]{1,10})$/.exec(name) ?? []
  const lower = ending.toLowerCase()
  return TELLING.has(lower) || PLAIN.has(lower)
}

/** Whether a name that could be that of a host is rather that of a file, such as setup.py. */
export function isRatherFile(labels: readonly string[], suffix: string): boolean {
  const ending = (labels.at(-1) ?? '').toLowerCase()
  // Paraguay and others register below com.py: nobody calls a file so.
  if (suffix.includes('.')) return false
  if (OFTEN_HOSTS.has(ending) && labels.length > 2 && !IN_FILE_NAMES.test(labels.at(-2) ?? '')) return false
  if (RATHER_FILES.has(ending)) return true
  return /^(?:cc|pl|ml)$/.test(ending) && labels.length === 2 && USUAL_FILES.test(labels[0] ?? '')
}
