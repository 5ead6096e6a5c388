/** Whether decimal text is an amount above zero: the question that every price is asked, without comparing digit by digit. */
const amount = /^\d+(?:\.\d+)?$/
const digit = /[1-9]/

export const aboveZero = (text: string): boolean => digit.test(text) && amount.test(text)
