module svc.example/signatures

go 1.20
