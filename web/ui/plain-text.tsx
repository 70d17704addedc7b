import { defangText } from '../domain/defang-text.ts'

/** User text without formatting, with every address defanged. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{defangText(text)}</span>
)
