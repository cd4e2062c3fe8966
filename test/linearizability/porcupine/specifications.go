package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// A state: texts by name. Each specification has names of its own.
type state map[string]string

// What one operation answers in a state, and the state after it.
type specification func(s state, one operation) ([]string, state)

var specifications = map[string]specification{
	"users": users, "connections": connections, "orders": orders, "receipts": receipts,
	"samples": samples, "feed": feed, "endpoints": endpoints,
}

func encode(s state) string {
	text, _ := json.Marshal(s)
	return string(text)
}

func decode(text string) state {
	s := state{}
	_ = json.Unmarshal([]byte(text), &s)
	return s
}

func arg(one operation, place int) string {
	if place < len(one.Args) {
		return one.Args[place]
	}
	return ""
}

func resultAt(one operation, place int) string {
	if place < len(one.Result) {
		return one.Result[place]
	}
	return ""
}

// A reference stays with its last user, also during the user's deletion, until another user takes it.
func users(s state, one operation) ([]string, state) {
	id, other := arg(one, 0), arg(one, 1)
	holder := func(reference string) string {
		if who := s["holder "+reference]; who != "" && s["life "+who] == "active" {
			return who
		}
		return ""
	}
	switch one.Name {
	case "create":
		if who := holder(id); who != "" {
			return []string{"taken", who}, s
		}
		s["holder "+id], s["reference "+other], s["life "+other] = other, id, "active"
		return []string{"created", other}, s
	case "resolve":
		if who := holder(id); who != "" {
			return []string{"found", who}, s
		}
		return []string{"absent"}, s
	}
	life, reference := s["life "+id], s["reference "+id]
	if life == "" || (life == "deleted" && (one.Name == "get" || one.Name == "rename")) {
		return []string{"absent"}, s
	}
	switch one.Name {
	case "get":
		return []string{"found", reference}, s
	case "delete":
		s["life "+id] = "deleted"
		return []string{"deleted"}, s
	case "undo":
		if life == "active" || s["holder "+reference] != id {
			return []string{"refused"}, s
		}
		s["life "+id] = "active"
		return []string{"restored"}, s
	}
	if who := holder(other); who != "" && who != id {
		return []string{"taken", who}, s
	}
	delete(s, "holder "+reference)
	s["holder "+other], s["reference "+id] = id, other
	return []string{"renamed"}, s
}

func connections(s state, one operation) ([]string, state) {
	provider := arg(one, 0)
	switch one.Name {
	case "connect":
		s[provider] = arg(one, 1)
		return []string{"connected"}, s
	case "disconnect":
		if s[provider] == "" {
			return []string{"absent"}, s
		}
		delete(s, provider)
		return []string{"disconnected"}, s
	}
	return pairs(s), s
}

func pairs(s state) []string {
	all := []string{}
	for name, value := range s {
		all = append(all, name+"="+value)
	}
	sort.Strings(all)
	return all
}

func orders(s state, one operation) ([]string, state) {
	if one.Name == "create" {
		key, body, id := "key "+arg(one, 0), arg(one, 1), arg(one, 2)
		if s[key] == "" {
			s[key], s["status "+id] = body+" "+id, "ordered"
		}
		if winner := strings.TrimPrefix(s[key], body+" "); winner != s[key] {
			return []string{"created", winner}, s
		}
		return []string{"conflict"}, s
	}
	status := "status " + arg(one, 0)
	switch {
	case s[status] == "":
		return []string{"absent"}, s
	case one.Name == "submit":
		return []string{"done"}, s
	case one.Name == "get":
		return []string{"found", s[status]}, s
	case s[status] == "cancelled":
		return []string{"refused"}, s
	}
	s[status] = "cancelled"
	return []string{"cancelled"}, s
}

// The counts of a batch are free until the first read of them, and fixed from then on.
func receipts(s state, one operation) ([]string, state) {
	switch {
	case one.Name == "ingest":
		s["status"] = "pending"
		return []string{"accepted"}, s
	case one.Name == "store":
		if s["status"] == "pending" {
			s["status"] = "done"
		}
		return []string{"done"}, s
	case s["status"] != "done":
		if s["status"] == "" {
			return []string{"absent"}, s
		}
		return []string{"pending"}, s
	}
	if s["counts"] == "" && len(one.Result) > 1 {
		s["counts"] = one.Result[1]
	}
	return []string{"done", s["counts"], arg(one, 0)}, s
}

func samples(s state, one operation) ([]string, state) {
	if one.Name == "read" {
		shown := state{}
		for instant, stored := range s {
			shown[instant] = strings.Fields(stored)[1]
		}
		return pairs(shown), s
	}
	for _, sent := range one.Args[1:] {
		instant, value, _ := strings.Cut(sent, "=")
		if candidate := one.Args[0] + " " + value; candidate > s[instant] {
			s[instant] = candidate
		}
	}
	return []string{"done"}, s
}

func feed(s state, one operation) ([]string, state) {
	first, _ := strconv.Atoi(arg(one, 0))
	if one.Name == "append" {
		if s[arg(one, 0)] == "" {
			s[arg(one, 0)] = strconv.Itoa(len(s) + 1)
		}
		return []string{"done"}, s
	}
	limit, _ := strconv.Atoi(arg(one, 1))
	page := []string{}
	for place := first + 1; place <= len(s) && len(page) < limit; place++ {
		for event, at := range s {
			if at == strconv.Itoa(place) {
				page = append(page, fmt.Sprintf("%d=%s", place, event))
			}
		}
	}
	return page, s
}

func endpoints(s state, one operation) ([]string, state) {
	id := arg(one, 0)
	url, secret, text, isRotated := "url "+id, "secret "+id, "text "+id, "rotated "+id
	switch {
	case one.Name == "list":
		ids := []string{}
		for name := range s {
			if strings.HasPrefix(name, "url ") {
				ids = append(ids, strings.TrimPrefix(name, "url "))
			}
		}
		sort.Strings(ids)
		return ids, s
	case one.Name == "create":
		s[url], s[secret], s[text] = arg(one, 1), arg(one, 2), ""
		return []string{"created"}, s
	case s[url] == "":
		return []string{"absent"}, s
	case one.Name == "rotate" && s[isRotated] != "":
		return []string{"conflict"}, s
	case one.Name == "rotate":
		s[secret], s[isRotated] = arg(one, 1), "yes"
		return []string{"rotated"}, s
	case len(one.Result) == 1 && one.Result[0] == "conflict":
		// Changes of the URL may refuse each other.
		return one.Result, s
	case one.Name == "secret":
		return []string{"found", s[secret]}, s
	case one.Name == "delete":
		for _, name := range []string{url, secret, text, isRotated} {
			delete(s, name)
		}
		return []string{"deleted"}, s
	case one.Name == "move":
		// A change that was applied twice answers with the other field of the second time.
		s[url] = arg(one, 1)
		return []string{"found", s[url], resultAt(one, 2)}, s
	case one.Name == "describe":
		s[text] = arg(one, 1)
		return []string{"found", resultAt(one, 1), s[text]}, s
	}
	return []string{"found", s[url], s[text]}, s
}
