// Checks recorded histories with porcupine, as a second opinion. It reads one history per line as JSON from its standard
// input, and writes "true" or "false" for each. The specifications in this folder share nothing with those in TypeScript.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// The time for one history. No history of a few dozen operations takes a second.
const timeout = time.Minute

type operation struct {
	Name       string
	Args       []string
	Result     []string
	InvokedAt  int64
	ReturnedAt int64
}

type history struct {
	Kind       string
	Operations []operation
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	decoder := json.NewDecoder(lines)
	for decoder.More() {
		var read history
		if err := decoder.Decode(&read); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch check(read) {
		case porcupine.Ok:
			fmt.Println("true")
		case porcupine.Illegal:
			fmt.Println("false")
		default:
			fmt.Println("unknown")
		}
	}
}

func check(read history) porcupine.CheckResult {
	apply, isKnown := specifications[read.Kind]
	if !isKnown {
		fmt.Fprintln(os.Stderr, "no specification of", read.Kind)
		os.Exit(1)
	}
	model := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{encode(state{})} },
		Step: func(before, input, _ interface{}) []interface{} {
			return step(apply, before.(string), input.(operation))
		},
		Equal: func(one, other interface{}) bool { return one == other },
	}
	operations := []porcupine.Operation{}
	for client, one := range read.Operations {
		operations = append(operations, porcupine.Operation{
			ClientId: client, Input: one, Call: one.InvokedAt, Output: one.Result, Return: one.ReturnedAt,
		})
	}
	return porcupine.CheckOperationsTimeout(model.ToModel(), operations, timeout)
}

// The states after an operation. Without a result, it took effect or not.
func step(apply specification, before string, one operation) []interface{} {
	result, after := apply(decode(before), one)
	next := encode(after)
	if one.Result == nil {
		if next == before {
			return []interface{}{before}
		}
		return []interface{}{before, next}
	}
	if fmt.Sprintf("%q", result) != fmt.Sprintf("%q", one.Result) {
		return nil
	}
	return []interface{}{next}
}
