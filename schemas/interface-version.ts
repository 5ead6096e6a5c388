/** The version of the interface that Assay keeps, as its description and its tool channel tell it. */
export const interfaceVersion = '1.0.0'
