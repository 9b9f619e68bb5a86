module svc

go 1.23
