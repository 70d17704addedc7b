import { isWebAddress } from '../domain/web-address.ts'
import { string, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'

const address = string(1, 2000).refine(isWebAddress, 'must be an http or https URL without a password')

export const configurationBundleProducers = defineResource({
  collection: 'configuration_bundle_producers',
  title: 'Configuration bundle producer',
  doc: 'Another installation whose configuration bundles can be imported.',
  permission: 'configurations',
  key: ['api_url'],
  fields: {
    api_url: text()
      .accepts(address.meta({ format: 'uri' }))
      .required(),
    name: text().nullable().readOnly().describe('The name that the producer reports; null until it has been called.'),
    ...stamps,
  },
  example: { api_url: 'https://bundles.example/api/v2' },
})
