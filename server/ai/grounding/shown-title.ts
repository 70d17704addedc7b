import { ApiError } from '../../engine/errors.ts'
import { withoutUnseen } from '../prompting/untrusted.ts'
import { withoutLinks } from './without-links.ts'

/** A title that a model wrote, on one line and without links, markup and characters that are not shown. */
export function shownTitle(text: string): string {
  const title = withoutLinks(withoutUnseen(text)).replaceAll(/\s+/g, ' ').trim()
  if (title === '') throw new ApiError(424, 'The model gave no title.')
  return title
}
