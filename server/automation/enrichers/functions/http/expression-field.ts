import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import type { Node } from './expressions/node.ts'
import { MAX_EXPRESSION_LENGTH, parseExpression } from './expressions/parse.ts'
import { ExpressionError } from './expressions/tokens.ts'
import { readTemplate, splitTemplate, type Template, TemplateError } from './templates.ts'

const MAX_TEMPLATE_LENGTH = 2000

/** A text with expressions in braces: texts are at the even positions. */
export type Text = readonly (string | Node)[]

/** Reads a text, and reports what is wrong with it as an issue. */
const readAs =
  <T>(read: (source: string) => T) =>
  (source: string, check: z.core.$RefinementCtx<string>): T => {
    try {
      return read(source)
    } catch (error) {
      if (!(error instanceof ExpressionError || error instanceof TemplateError)) throw error
      check.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  }

const readText = (source: string): Text =>
  splitTemplate(source).flatMap((part, i): Text => (i % 2 === 1 ? [parseExpression(part)] : part === '' ? [] : [part]))

/** An expression. */
export const expression = () => string(1, MAX_EXPRESSION_LENGTH).transform(readAs(parseExpression))

/** A text that may contain expressions in braces. */
export const text = () => string(1, MAX_TEMPLATE_LENGTH).transform(readAs(readText))

/** A text of a request, which may contain the value and parameters in braces. */
export const template = () =>
  string(0, MAX_TEMPLATE_LENGTH).transform(readAs((source): Template => readTemplate(source)))
