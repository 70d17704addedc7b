import { defangText } from './defang-text.ts'

/** A text of users as it is, with every address in it defanged. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{defangText(text)}</span>
)
