import { tlpOfLabel } from '../tlp-label.ts'
import type { Form } from './fields.ts'
import { readTime } from './time-format.ts'

/** The value of a field, or why the text cannot be converted. */
export type Made = { readonly value: unknown; readonly loss?: string } | { readonly loss: string }

const CONFIDENCES = ['unknown', 'none', 'low', 'medium', 'high']

const quoted = (text: string): string => `'${text.length > 80 ? `${text.slice(0, 80)}…` : text}'`

/** Converts a text to the value of a field. Lists and descriptions are combined from several texts elsewhere. */
export function makeValue(form: Form, text: string, timeFormat?: string): Made {
  if (form === 'time') return timeOf(text, timeFormat)
  if (form === 'confidence') return confidenceOf(text)
  if (form === 'tlp') return colourOf(text)
  if (form === 'reliability') {
    const letter = text.trim().toUpperCase()
    return /^[A-F]$/.test(letter) ? { value: letter } : { loss: `${quoted(text)} is not a reliability from A to F` }
  }
  if (form === 'number') {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    return Number.isFinite(number) ? { value: number } : { loss: `${quoted(text)} is not a number` }
  }
  if (form === 'flag') {
    const word = text.trim().toLowerCase()
    if (['true', 'yes', '1', 'y'].includes(word)) return { value: true }
    return ['false', 'no', '0', 'n'].includes(word)
      ? { value: false }
      : { loss: `${quoted(text)} is neither true nor false` }
  }
  if (form === 'type') return { value: typeOf(text) }
  return { value: text }
}

function timeOf(text: string, format: string | undefined): Made {
  const value = readTime(text, format)
  if (value !== undefined) return { value }
  return {
    loss: `${quoted(text)} is not a valid time ${format === undefined ? 'in ISO 8601' : `in the format ${quoted(format)}`}`,
  }
}

/** An unknown colour counts as RED, so that it never discloses restricted data. */
function colourOf(text: string): Made {
  const value = tlpOfLabel(text)
  return value ? { value } : { value: 'RED', loss: `${quoted(text)} is not a TLP colour; RED is used instead` }
}

function confidenceOf(text: string): Made {
  const word = text.trim().toLowerCase()
  if (CONFIDENCES.includes(word)) return { value: word }
  const number = /^\d{1,3}%?$/.test(word) ? Number.parseInt(word, 10) : Number.NaN
  if (!(number <= 100)) return { loss: `${quoted(text)} is not a confidence` }
  if (number === 0) return { value: 'none' }
  if (number < 30) return { value: 'low' }
  return { value: number < 70 ? 'medium' : 'high' }
}

const typeOf = (text: string): string => {
  const type = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return type === 'eclecticiq-sighting' || type === 'sighting' ? 'vendor-sighting' : type
}
