import { type VisibleText, visibleText } from '../prompting/visible-text.ts'

/** Where something stands in the texts of a request, in UTF-16 code units of one of them. */
export interface FieldOffsets {
  readonly field: string
  readonly start: number
  readonly end: number
}

/** The texts of a request as one text, without what readers do not see. */
export interface SourceText {
  readonly text: string
  /** The place in a text of the request; undefined if it reaches over the end of one. */
  offsetsOf(start: number, end: number): FieldOffsets | undefined
}

interface Part {
  readonly field: string
  readonly visible: VisibleText
  readonly at: number
}

const GAP = '\n\n'

export function sourceTextOf(fields: Readonly<Record<string, string>>): SourceText {
  let at = 0
  const parts = Object.entries(fields).map(([field, written]): Part => {
    const visible = visibleText(written)
    const part = { field, visible, at }
    at += visible.text.length + GAP.length
    return part
  })
  return {
    text: parts.map(({ visible }) => visible.text).join(GAP),
    offsetsOf: (start, end) => {
      const part = parts.find((each) => start >= each.at && end <= each.at + each.visible.text.length)
      return part && { field: part.field, ...part.visible.originalOf(start - part.at, end - part.at) }
    },
  }
}
