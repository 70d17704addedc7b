import { useLayoutEffect, useRef } from 'react'
import { richFragment } from './rich-fragment.ts'
import classes from './rich-text.module.css'

interface RichTextProps {
  readonly text: string
  /** `html` or `markdown`, if the format is known. */
  readonly format?: string | undefined
}

/**
 * User text with Markdown or HTML. This is the only component that renders such text: nothing in it runs, loads from elsewhere
 * or navigates away.
 */
export function RichText({ text, format }: RichTextProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(richFragment(text, format)), [text, format])
  return <div ref={place} className={classes.text} />
}
