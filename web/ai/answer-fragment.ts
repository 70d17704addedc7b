import { defangText } from '../domain/defang-text.ts'
import { richFragment } from '../ui/rich-fragment.ts'
import classes from './ai-text.module.css'

/** Where a citation stands in an answer. */
export interface CitationPlace {
  readonly n: number
  readonly element: HTMLElement
}

interface Answer {
  readonly fragment: DocumentFragment
  readonly places: readonly CitationPlace[]
}

/**
 * Renders text that a model wrote. Nothing in it is loaded and nothing in it leads anywhere: it has no images, links are shown as text,
 * and the citations of given sources become places for links of our own. Values that no source has are marked.
 */
export function answerFragment(
  text: string,
  cited: ReadonlySet<number> = new Set(),
  unverified: readonly string[] = [],
  format: 'html' | 'markdown' = 'markdown',
): Answer {
  const fragment = richFragment(text, format)
  // A picture could be an attachment or be drawn by the model: neither is an answer.
  for (const image of fragment.querySelectorAll('img')) image.remove()
  const places: CitationPlace[] = []
  for (const node of textsIn(fragment)) node.replaceWith(...withCitations(node, cited, places))
  const values = [...new Set(unverified.map(defangText))].filter((value) => value !== '')
  if (values.length > 0) for (const node of textsIn(fragment)) markValues(node, values)
  return { fragment, places }
}

function textsIn(fragment: DocumentFragment): Text[] {
  const walker = fragment.ownerDocument.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

function withCitations(node: Text, cited: ReadonlySet<number>, places: CitationPlace[]): Node[] {
  const text = node.data
  if (!text.includes('[') || node.parentElement?.closest('code, pre')) return [node]
  // With a group in the expression, every second part is a number.
  return text.split(/\[(\d{1,4})\]/).flatMap((part, i): Node[] => {
    if (i % 2 === 0) return part === '' ? [] : [node.ownerDocument.createTextNode(part)]
    const n = Number(part)
    if (!cited.has(n)) return [node.ownerDocument.createTextNode(`[${part}]`)]
    const element = node.ownerDocument.createElement('span')
    places.push({ n, element })
    return [element]
  })
}

function markValues(node: Text, values: readonly string[]): void {
  for (let rest: Text | undefined = node; rest; ) {
    const { data }: Text = rest
    const [first] = values
      .map((value) => ({ value, at: data.indexOf(value) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.value.length - a.value.length)
    if (!first) return
    const marked: Text = rest.splitText(first.at)
    rest = marked.splitText(first.value.length)
    const mark = node.ownerDocument.createElement('mark')
    mark.className = classes.unverified ?? ''
    mark.title = 'In none of the sources'
    marked.replaceWith(mark)
    mark.append(marked)
  }
}
