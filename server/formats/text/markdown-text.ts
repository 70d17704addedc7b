/** The contents of a Markdown text. */
export interface Plain {
  readonly title: string | undefined
  readonly published: string | undefined
  readonly text: string
}

/** Returns the text without its mark-up. Code is treated like any other text. */
export function markdownText(markdown: string): Plain {
  const { body, properties } = withoutFrontMatter(markdown)
  let heading: string | undefined
  let isCode = false
  const lines = body.split(/\r?\n/).flatMap((line, i, all): string[] => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) {
      isCode = !isCode
      return []
    }
    if (isCode) return [line]
    const title = headingOf(line, all[i + 1])
    if (title !== undefined) heading ??= title
    // Lines that are only decoration: underlines of headings, table separators, horizontal rules.
    if (/^ {0,3}(?:=+|-{2,}|[*_] ?[*_] ?[*_][*_ ]*)\s{0,9}$/.test(line) || /^[\s|:-]{3,}$/.test(line)) return ['']
    return [title ?? inline(line)]
  })
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return { title: properties.get('title') ?? heading, published: properties.get('date'), text }
}

function headingOf(line: string, next: string | undefined): string | undefined {
  const [, marked] = /^ {0,3}#{1,6} +(\S.*)$/.exec(line) ?? []
  if (marked !== undefined) return inline(marked.slice(0, 1_000).replace(/#{1,9}$/, '')).trim()
  const isUnderlined = next !== undefined && /^ {0,3}={3,}$/.test(next.trimEnd()) && line.trim() !== ''
  return isUnderlined ? inline(line).trim() : undefined
}

/** Renders emphasis, code, links, images and escapes in a line as plain text. Link targets follow their texts. */
function inline(line: string): string {
  return line
    .slice(0, 100_000)
    .replace(/^ {0,3}(?:> ?)+/, '')
    .replace(
      /!?\[([^[\]]{0,2000})\]\(\s{0,3}<?([^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)>?(?:\s[^()]{0,300})?\)/g,
      linked,
    )
    .replace(/(?<!\\)\*{1,3}(?=\S)|(?<=[^\s\\])\*{1,3}/g, '')
    .replace(/(?<![\p{L}\p{N}\\])_{1,3}(?=\S)|(?<=[^\s\\])_{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/`+/g, '')
    .replace(/\\([!#()*+\-<>[\]`{|}~_])/g, '$1')
    .replace(/~~/g, '')
    .replace(/^\s*\|(.*)\|\s*$/, '$1')
    .replace(/<\/?[a-z][a-z\d]{0,15}(?:\s[^<>]{0,500})?\/?>/gi, '')
}

function linked(_: string, text: string, target: string): string {
  const isAddress = /^(?:h[tx]{2}ps?|ftp)/i.test(target)
  return isAddress && !text.includes(target) ? `${text} <${target}>` : text
}

/** Separates the front matter: properties between two lines of dashes before the text. */
function withoutFrontMatter(markdown: string): { body: string; properties: ReadonlyMap<string, string> } {
  const [block = '', head = ''] = /^---\r?\n([\s\S]{0,20000}?)\r?\n---\r?\n/.exec(markdown) ?? []
  const properties = head.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, value = ''] = /^([A-Za-z_]{1,40}):(?=.) *(?! )(.{0,500})$/.exec(line) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), value.trim().replace(/^(["'])(.*)\1$/, '$2')]]
  })
  return { body: markdown.slice(block.length), properties: new Map(properties) }
}
