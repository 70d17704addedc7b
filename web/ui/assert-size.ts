import { CallError } from '../api/call.ts'
import { sizeInWords } from './size-in-words.ts'

/** Refuses a file that the server would refuse, before it is sent: browsers do not read the response to an upload that is cut off. */
export function assertSize({ name, size }: Pick<File, 'name' | 'size'>, maxBytes: number): void {
  if (size <= maxBytes) return
  const detail = `“${name}” is ${sizeInWords(size)}. The maximum size is ${sizeInWords(maxBytes)}.`
  throw new CallError(413, [{ status: 413, title: 'Too large', detail }])
}
