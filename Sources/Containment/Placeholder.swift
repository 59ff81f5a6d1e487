// Containment
