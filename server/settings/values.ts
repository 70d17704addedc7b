import { z } from 'zod'
import { isBaseAddress, isWebAddress } from '../domain/web-address.ts'
import { string } from '../engine/field.ts'

const MAIL_ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

export const mailAddress = () =>
  string(1, 254)
    .refine((text) => MAIL_ADDRESS.test(text), 'must be an e-mail address')
    .meta({ format: 'email' })

export const webAddress = () =>
  string(1, 2000).refine(isWebAddress, 'must be an http or https URL without a password').meta({ format: 'uri' })

/** A URL that paths are appended to. */
export const baseAddress = () =>
  string(1, 2000)
    .refine(isBaseAddress, 'must be an http or https URL without a password, query or fragment')
    .meta({ format: 'uri' })

/** A secret. Errors do not repeat its value. */
export const secretString = (form = /^/, fault = 'must be a string of at most 10,000 characters') =>
  z.string({ error: fault }).max(10_000, { error: fault }).regex(form, { error: fault })

/** An optional secret of a record. */
export const secretText = (form?: RegExp, fault?: string) => secretString(form, fault).nullable().default(null)
