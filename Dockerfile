# An image with the program and nothing else:
#
#     docker build --tag grundy .
#     docker run --rm grundy solve "nim(3, 4, 5)"
#     docker run --rm --publish 8421:8421 grundy serve --bind 0.0.0.0 --no-open \
#         --public-url http://localhost:8421
#
# See docs/install.md.
FROM rust:1-alpine AS build
RUN apk add --no-cache ca-certificates musl-dev
WORKDIR /src
COPY . .
# On Alpine, Rust links the C library statically.
RUN cargo build --profile dist --locked -p grundy-cli --features full

FROM scratch
# The certificates are for tablebases over HTTPS.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/target/dist/grundy /grundy
USER 65534:65534
EXPOSE 8421
ENTRYPOINT ["/grundy"]
