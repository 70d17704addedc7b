import { childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { type Vocabulary, wordsOf } from '../vocabularies.ts'
import type { EntityDraft } from './draft.ts'
import { compact, type Json } from './json.ts'
import { descriptionOf, termOf } from './records.ts'
import { takeAttribute } from './taken.ts'

/** Reads an asset affected by an incident. The platform requires every classification; missing ones become unknown. */
export function affectedAssetOf(element: XmlElement, draft: EntityDraft): Json {
  const { taken } = draft
  const type = childOf(element, 'Type')
  const asset_type = wordOf(type, 'AssetTypeVocab-1.0', taken)
  const effects = childOf(element, 'Nature_Of_Security_Effect')
  return {
    type: 'affected-asset',
    asset_type,
    description: descriptionOf(element, 'Description', taken) ?? asset_type,
    ownership_class: wordOf(childOf(element, 'Ownership_Class'), 'OwnershipClassVocab-1.0', taken),
    management_class: wordOf(childOf(element, 'Management_Class'), 'ManagementClassVocab-1.0', taken),
    location_class: wordOf(childOf(element, 'Location_Class'), 'LocationClassVocab-1.0', taken),
    ...compact({
      count_affected: type && takeAttribute(type, 'count_affected', taken),
      business_function_or_role: descriptionOf(element, 'Business_Function_Or_Role', taken),
      nature_of_security_effect_properties_affected:
        effects && childrenOf(effects, 'Property_Affected').map((one) => propertyAffectedOf(one, taken)),
    }),
  }
}

function wordOf(element: XmlElement | undefined, vocabulary: Vocabulary, taken: EntityDraft['taken']): string {
  const word = textOf(element)
  if (!element || !wordsOf(vocabulary).has(word)) return 'Unknown'
  taken.add(element)
  return word
}

function propertyAffectedOf(element: XmlElement, taken: EntityDraft['taken']): Json | undefined {
  const compromised = childOf(element, 'Non_Public_Data_Compromised')
  const record = compact({
    property: termOf(childOf(element, 'Property'), taken),
    description_of_effect: descriptionOf(element, 'Description_Of_Effect', taken),
    type_of_availability_loss: termOf(childOf(element, 'Type_Of_Availability_Loss'), taken),
    duration_of_availability_loss: termOf(childOf(element, 'Duration_Of_Availability_Loss'), taken),
    data_encrypted: compromised && takeAttribute(compromised, 'data_encrypted', taken),
    non_public_data_compromised: termOf(compromised, taken),
  })
  return record && { type: 'property-affected', ...record }
}
