import { useLayoutEffect, useRef } from 'react'
import { richFragment } from './rich-fragment.ts'
import classes from './rich-text.module.css'

interface RichTextProps {
  readonly text: string
  /** `html` or `markdown`, where somebody has said so. */
  readonly format?: string | undefined
}

/**
 * A text of users with Markdown or HTML in it, as the only place of the product that shows such a thing: nothing in it runs, loads
 * from elsewhere or leads anywhere.
 */
export function RichText({ text, format }: RichTextProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(richFragment(text, format)), [text, format])
  return <div ref={place} className={classes.text} />
}
