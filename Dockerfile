# plastic in a container: one static binary, no shell, not root.
#
#   docker build -t plastic .
#   docker run -v "$PWD/memory:/memory" -p 127.0.0.1:7433:7433 -e PLASTIC_TOKEN=… plastic
#
# The folder must belong to uid 65532. Inside a container the server listens on
# every address, so it needs a token: server.tokens in config.yaml, its value in
# the environment.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /plastic ./cmd/plastic

FROM scratch
COPY --from=build /plastic /plastic
USER 65532:65532
VOLUME /memory
ENV PLASTIC_DIR=/memory
EXPOSE 7433
ENTRYPOINT ["/plastic"]
CMD ["serve", "--listen", "0.0.0.0:7433"]
